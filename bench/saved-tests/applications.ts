// The applications, in the order of the report.

import type { Application } from './flow.ts'
import { delays } from './flows/delays.ts'
import { next } from './flows/next.ts'
import { randomIds } from './flows/random-ids.ts'
import { react } from './flows/react.ts'
import { svelte } from './flows/svelte.ts'
import { vue } from './flows/vue.ts'

export const applications: readonly Application[] = [react, vue, svelte, next, randomIds, delays]
