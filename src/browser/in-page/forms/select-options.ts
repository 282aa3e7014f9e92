// The options of a <select>.

/** Whether the elements are one <select> in which all values can be selected now. */
export function canSelectOptions(elements: Element[], values: string[]): boolean {
  const [field] = elements
  if (elements.length !== 1 || !(field instanceof HTMLSelectElement)) return false
  const options = [...field.options].filter(
    (option) => !option.disabled && !option.closest('optgroup:disabled'),
  )
  return (
    !field.matches(':disabled') &&
    !field.closest('[aria-disabled="true"]') &&
    values.every((value) => options.some((option) => option.value === value || option.label === value))
  )
}

export interface SelectState {
  readonly isDisabled: boolean
  /** The values without an option, and those with a disabled option. */
  readonly missing: string[]
  readonly disabled: string[]
  /** The labels of all options, quoted; disabled ones are marked. */
  readonly options: string[]
}

/** Undefined if the element is no <select>. Waits for options that are added while the page loads. */
export async function readSelectState(
  element: Element,
  { values, timeoutMs }: { values: string[]; timeoutMs: number },
): Promise<SelectState | undefined> {
  const OPTIONS_GRACE_MS = 300
  const field = element instanceof HTMLLabelElement ? element.control : element
  if (!(field instanceof HTMLSelectElement)) return undefined
  const normalize = (text: string) => text.replace(/\s+/g, ' ').trim()
  const isOptionDisabled = (option: HTMLOptionElement) =>
    option.disabled || option.closest('optgroup')?.disabled === true
  const readState = (): SelectState => {
    const options = [...field.options]
    const findOption = (value: string) =>
      options.find(
        (option) =>
          option.value === value || option.label === value || normalize(option.label) === normalize(value),
      )
    return {
      isDisabled: field.matches(':disabled') || field.closest('[aria-disabled="true"]') !== null,
      missing: values.filter((value) => !findOption(value)),
      disabled: values.filter((value) => {
        const option = findOption(value)
        return option !== undefined && isOptionDisabled(option)
      }),
      options: options
        .slice(0, 1000)
        .map(
          (option) =>
            JSON.stringify(normalize(option.label).slice(0, 80)) +
            (isOptionDisabled(option) ? ' (disabled)' : ''),
        ),
    }
  }
  const startedAt = performance.now()
  for (;;) {
    const state = readState()
    const elapsedMs = performance.now() - startedAt
    const canSelect = !state.isDisabled && state.missing.length === 0 && state.disabled.length === 0
    const isTimedOut = elapsedMs > OPTIONS_GRACE_MS && document.readyState === 'complete'
    if (canSelect || isTimedOut || elapsedMs > timeoutMs - OPTIONS_GRACE_MS) return state
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
