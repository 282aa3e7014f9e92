import type { AriaInjected, PlaceChange } from '../../playwright/injected-script.ts'
import type { ElementMatches } from '../dom/element-arguments.ts'

/** What has become of the only match since the last snapshot, if it belongs to another item now. */
export function findPlaceChange({ elements, injected }: ElementMatches): PlaceChange | undefined {
  const [element] = elements
  return element && (injected as unknown as AriaInjected).footlight?.places.findChange(element)
}
