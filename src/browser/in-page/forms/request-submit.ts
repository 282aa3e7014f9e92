interface Dependencies {
  describeInvalidField(field: HTMLInputElement): string
}

/** Submits the form of an element. False if it has none; the invalid field if the browser's validation blocked the submit. */
export function requestSubmit({ describeInvalidField }: Dependencies, element: Element): boolean | string {
  const form = (element as HTMLInputElement).form ?? element.closest('form')
  if (!form) return false
  const button = form.querySelector<HTMLElement>('button:not([type]), [type=submit], [type=image]')
  let invalidField: string | undefined
  let isSubmitted = false
  const onSubmit = () => (isSubmitted = true)
  const onInvalid = ({ target }: Event) => {
    invalidField ??= describeInvalidField(target as HTMLInputElement)
  }
  form.addEventListener('submit', onSubmit, true)
  form.addEventListener('invalid', onInvalid, true)
  form.requestSubmit(button && !button.matches(':disabled') ? button : null)
  form.removeEventListener('submit', onSubmit, true)
  form.removeEventListener('invalid', onInvalid, true)
  return isSubmitted ? true : (invalidField ?? true)
}
