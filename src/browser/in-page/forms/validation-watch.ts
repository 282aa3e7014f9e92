interface Dependencies {
  describeInvalidField(field: HTMLInputElement): string
}

/** Watches a submit; `endValidationWatch` returns what stopped it. `interceptHitTarget` does the same for its own click. */
export function watchValidation({ describeInvalidField }: Dependencies): void {
  let clickEvent: Event | undefined
  let invalid: string | undefined
  const onClick = (event: Event) => (clickEvent = event)
  const onSubmit = () => (invalid = undefined)
  const onInvalid = ({ target }: Event) => {
    const field = target as HTMLInputElement
    if (invalid !== undefined || !field.form || field.form.noValidate) return
    invalid = describeInvalidField(field)
  }
  window.addEventListener('click', onClick, true)
  window.addEventListener('submit', onSubmit, true)
  window.addEventListener('invalid', onInvalid, true)
  const globals = window as unknown as Record<symbol, unknown>
  globals[Symbol.for('footlight validation')] = () => {
    window.removeEventListener('click', onClick, true)
    window.removeEventListener('submit', onSubmit, true)
    window.removeEventListener('invalid', onInvalid, true)
    return clickEvent?.defaultPrevented ? undefined : invalid
  }
}

/** Undefined where nothing stopped the submit, or another document has been loaded since. */
export function endValidationWatch(): string | undefined {
  const key = Symbol.for('footlight validation')
  const globals = window as unknown as Record<symbol, (() => string | undefined) | undefined>
  const invalid = globals[key]?.()
  delete globals[key]
  return invalid
}
