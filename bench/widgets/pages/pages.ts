import type { Page } from '../page.ts'
import { elements } from './elements.ts'
import { plain } from './plain.ts'
import { reactData } from './react-data.ts'
import { reactFields } from './react-fields.ts'
import { reactParts } from './react-parts.ts'
import { reactSuites } from './react-suites.ts'
import { vue } from './vue.ts'

export const pages: readonly Page[] = [
  ...reactSuites,
  ...reactParts,
  ...reactFields,
  ...reactData,
  ...plain,
  ...elements,
  ...vue,
]
