// The page in the syntax of Angular.

import type { Files } from '../stacks.ts'
import { at, rowsOf, types } from './templates.ts'

const angularComponent = (
  name: string,
  selector: string,
  template: string,
  more = '',
  uses = '',
) => `import { Component, Input } from '@angular/core'
import { at } from './at'
import type { Row } from './types'
${uses}
/** Given to the component. */
interface Given {
  readonly title: string
}

@Component({
  selector: '${selector}',
  ${template},
})
export class ${name} {
  protected readonly at = at
  protected given: Given = { title: 'Given' }
  @Input() row: Row = { name: 'One', index: 0 }
  @Input() title = ''
${more}}
`

export const angularFiles: Files = {
  'src/at.ts': at,
  'src/types.ts': types,
  'src/panel.ts': angularComponent('Panel', 'app-panel', "templateUrl: './panel.html'"),
  'src/panel.html': `<!-- The panel. -->
<aside [id]="at('other')">
  <h3>Panel</h3>
  <ng-content />
</aside>
`,
  'src/nested.ts': angularComponent(
    'Nested',
    'app-nested',
    `template: \`
    <section [id]="at('nested')">
      <h2>{{ title }}</h2>
    </section>
  \``,
  ),
  'src/helper.ts': angularComponent(
    'Helper',
    'app-helper',
    `template: '<b [id]="at(\\'helper\\', row.index)">{{ row.name }}</b>'`,
  ),
  'src/styled.ts': angularComponent('Styled', 'a[styled]', "template: '<ng-content />'"),
  'src/app.ts': angularComponent(
    'App',
    'app-root',
    "templateUrl: './app.html',\n  imports: [Panel, Nested, Helper, Styled]",
    `  protected readonly total: number = 4
  protected readonly rows: Row[] = [
    { name: 'One', index: 0 },
    { name: 'Two', index: 1 },
  ]
`,
    `import { Panel } from './panel'
import { Nested } from './nested'
import { Helper } from './helper'
import { Styled } from './styled'
`,
  ),
  'src/app.html': `<main [id]="at('root')">
  <input
    type="text"
    [id]="at('multi')"
  />
${rowsOf('  <input type="text" />')}
  @if (total > 1) {
    <p [id]="at('cond')">Total {{ total }}</p>
  }
${rowsOf('  <p>Row</p>')}
  <ul>
    @for (row of rows; track row.name) {
      <li [id]="at('item', row.index)">
        <app-helper [row]="row" />
      </li>
    }
  </ul>
  <app-nested title="Nested" />
  <app-panel>
    <button type="button" [id]="at('slot')">Slot</button>
    <button type="button">Other</button>
  </app-panel>
  <ng-container>
    <em>Before</em>
    <em [id]="at('fragment')">Fragment</em>
  </ng-container>
  <a styled [id]="at('wrapped')" href="#wrapped">Wrapped</a>
${rowsOf('  <section><em>Row</em></section>')}
</main>
`,
}
