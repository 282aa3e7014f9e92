interface Dependencies {
  describeInvalidField(field: HTMLInputElement): string
}

/** Watches a submit; `endValidationWatch` returns the invalid field that blocked it. `interceptHitTarget` does the same for its own click. */
export function watchValidation({ describeInvalidField }: Dependencies): void {
  let clickEvent: Event | undefined
  let invalidField: string | undefined
  const onClick = (event: Event) => (clickEvent = event)
  const onSubmit = () => (invalidField = undefined)
  const onInvalid = ({ target }: Event) => {
    const field = target as HTMLInputElement
    if (invalidField !== undefined || !field.form || field.form.noValidate) return
    invalidField = describeInvalidField(field)
  }
  window.addEventListener('click', onClick, true)
  window.addEventListener('submit', onSubmit, true)
  window.addEventListener('invalid', onInvalid, true)
  const globals = window as unknown as Record<symbol, unknown>
  globals[Symbol.for('footlight validation')] = () => {
    window.removeEventListener('click', onClick, true)
    window.removeEventListener('submit', onSubmit, true)
    window.removeEventListener('invalid', onInvalid, true)
    return clickEvent?.defaultPrevented ? undefined : invalidField
  }
}

/** Undefined if the submit was not blocked, or another document has been loaded since. */
export function endValidationWatch(): string | undefined {
  const key = Symbol.for('footlight validation')
  const globals = window as unknown as Record<symbol, (() => string | undefined) | undefined>
  const invalidField = globals[key]?.()
  delete globals[key]
  return invalidField
}
