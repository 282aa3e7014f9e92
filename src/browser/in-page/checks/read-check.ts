import type { CheckState } from './poll-checks.ts'
import type { ElementMatches } from '../dom/element-arguments.ts'
import type { ElementCheck } from '../../../core/checks/element-check.ts'

/** Whether a check holds now, and what was seen. */
export function readCheck(
  check: ElementCheck,
  { elements, injected, frameVisible }: ElementMatches,
): CheckState {
  const normalize = (text: string) => injected.utils.normalizeWhiteSpace(text)
  const quote = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
  const isVisible = (element: Element) => injected.elementState(element, 'visible', frameVisible).matches

  function readText(expected: string): CheckState {
    const texts = elements.map((element) => normalize(injected.utils.elementText(new Map(), element).full))
    const containsExpected = (text: string) =>
      text.toLocaleLowerCase().includes(normalize(expected).toLocaleLowerCase())
    const matching = elements.filter((_, index) => containsExpected(texts[index] ?? ''))
    const text = texts.find(containsExpected) ?? texts[0] ?? ''
    if (matching.some(isVisible)) return { matches: true, text: quote(text) }
    if (matching.length > 0) return { text: `${quote(text)} (hidden)` }
    return { matches: false, text: quote(text) }
  }

  function readValue(element: Element, expected: string): CheckState {
    const field = injected.retarget(element, 'follow-label')
    if (!field || !/^(INPUT|TEXTAREA|SELECT)$/.test(field.nodeName))
      return { text: 'none, because it is no field' }
    const { value, selectedOptions } = field as HTMLSelectElement
    const labels = selectedOptions ? [...selectedOptions].map(({ label }) => normalize(label)) : []
    const isLabel = labels.length === 1 && labels[0] === normalize(expected)
    const label = labels.length > 0 && labels.join() !== value ? ` (${quote(labels.join(', '))})` : ''
    return { matches: value === expected || isLabel, text: `${quote(value)}${label}` }
  }

  function readState(element: Element, state: string): CheckState {
    if (state === 'attached') return { matches: true, text: 'attached' }
    if (state === 'detached') return { matches: false, text: 'attached' }
    if (state === 'focused') {
      const isFocused = (element.getRootNode() as Document).activeElement === element
      return { matches: isFocused, text: isFocused ? 'focused' : 'not focused' }
    }
    if (state === 'empty') {
      const isField = /^(INPUT|TEXTAREA)$/.test(element.nodeName)
      const content = isField ? (element as HTMLInputElement).value : (element.textContent ?? '').trim()
      return { matches: content === '', text: content === '' ? 'empty' : 'not empty' }
    }
    const property = state === 'readonly' ? 'editable' : (state as 'visible')
    try {
      const { matches, received } = injected.elementState(element, property, frameVisible)
      if (received === 'error:notconnected') return { text: 'missing' }
      return { matches: state === 'readonly' ? !matches : matches, text: received.toLowerCase() }
    } catch {
      return { text: property === 'editable' ? 'not a field' : 'not a checkbox or radio button' }
    }
  }

  // Several are hidden if all of them are; anything else is required of one.
  function readSeveral(state: string | undefined): CheckState {
    const isHidden = (state === 'visible' || state === 'hidden') && !elements.some(isVisible)
    if (isHidden) return { matches: state === 'hidden', text: 'hidden' }
    return { text: `of ${elements.length} matches, not of one` }
  }

  if (check.kind === 'count')
    return { matches: elements.length === check.count, text: String(elements.length) }
  const [element] = elements
  if (!element) {
    const state = check.kind === 'state' ? check.state : undefined
    if (state === 'detached' || state === 'hidden') return { matches: true, text: 'missing' }
    return state === 'attached' || state === 'visible'
      ? { matches: false, text: 'missing' }
      : { text: 'missing' }
  }
  if (check.kind === 'text') return readText(check.text)
  const isOfFirst = check.kind === 'state' && check.isFirst
  if (elements.length > 1 && !isOfFirst) return readSeveral(check.kind === 'state' ? check.state : undefined)
  return check.kind === 'value' ? readValue(element, check.value) : readState(element, check.state)
}
