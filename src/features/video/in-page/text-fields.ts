import type { Box } from '../../../core/base/geometry.ts'
import type { FieldDescription } from '../../../core/base/redaction/secret-names.ts'
import { describeField } from '../../../core/browser/in-page/page/elements.ts'
import { createMovingTest } from './moving-fields.ts'

export interface TextField extends FieldDescription {
  readonly value: string
  /** In the viewport of its document. */
  readonly box: Box
  /** A picture may show it elsewhere. */
  readonly isMoving: boolean
}

/** The size of the viewport of a document, and its fields whose text a picture shows; one of the type password shows dots. */
export function readTextFields(): {
  readonly width: number
  readonly height: number
  readonly fields: TextField[]
} {
  const VALUE_LIMIT_CHARS = 20_000
  const fields: TextField[] = []
  const isMoving = createMovingTest()
  const collectFrom = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) collectFrom(element.shadowRoot)
      if (!/^(input|textarea)$/.test(element.localName)) continue
      const { type, value } = element as HTMLInputElement
      if (/^(checkbox|radio|button|submit|reset|image|file|range|color|hidden|password)$/.test(type)) continue
      const { x, y, width, height } = element.getBoundingClientRect()
      const box = { x, y, width, height }
      if (width > 0 && height > 0)
        fields.push({
          ...describeField(element),
          value: value.slice(0, VALUE_LIMIT_CHARS),
          box,
          isMoving: isMoving(element),
        })
    }
  }
  collectFrom(document)
  return { width: innerWidth, height: innerHeight, fields }
}
