interface Dependencies {
  describeInvalidField(field: HTMLInputElement): string
}

/** Submits the form of an element. False where there is none; a text where the browser's validation stopped it. */
export function requestSubmit({ describeInvalidField }: Dependencies, element: Element): boolean | string {
  const form = (element as HTMLInputElement).form ?? element.closest('form')
  if (!form) return false
  const button = form.querySelector<HTMLElement>('button:not([type]), [type=submit], [type=image]')
  let invalid: string | undefined
  let isSubmitted = false
  const onSubmit = () => (isSubmitted = true)
  const onInvalid = ({ target }: Event) => {
    invalid ??= describeInvalidField(target as HTMLInputElement)
  }
  form.addEventListener('submit', onSubmit, true)
  form.addEventListener('invalid', onInvalid, true)
  form.requestSubmit(button && !button.matches(':disabled') ? button : null)
  form.removeEventListener('submit', onSubmit, true)
  form.removeEventListener('invalid', onInvalid, true)
  return isSubmitted ? true : (invalid ?? true)
}
