// The view in the syntax of Angular.

import type { Files } from '../../stacks.ts'
import { logic } from './logic.ts'

export const angularFiles: Files = {
  'src/logic.ts': logic,
  'src/row.ts': `import { Component, EventEmitter, Input, Output } from '@angular/core'
import { describe, label, type Item } from './logic'

@Component({
  selector: 'app-row',
  templateUrl: './row.html',
})
export class Row {
  @Input() item!: Item
  @Output() readonly gone = new EventEmitter<string>()
  protected readonly texts = { describe, label }

  get isMany(): boolean {
    return this.item.count > 3
  }

  drop(): void {
    this.gone.emit(this.item.name)
  }
}
`,
  'src/row.html': `<li [class.many]="isMany">
  {{ texts.describe(item) }} {{ texts.label(item) }}
  <button (click)="drop()">Drop</button>
</li>
`,
  'src/app.ts': `import { Component, computed, effect, signal } from '@angular/core'
import { createItem, kinds, load, sort, store, total, type Item } from './logic'
import { Row } from './row'

@Component({
  selector: 'app-root',
  imports: [Row],
  template: \`
    <h1>Items</h1>
    @if (items().length === 0) {
      <p>Nothing yet</p>
    }
    <input aria-label="Name" #field (input)="name = field.value" />
    <button (click)="add()">Add</button>
    <button (click)="items.set(items().slice(1))">Remove</button>
    <button (click)="sortAll()">Sort</button>
    <button (click)="read(false)">Load</button>
    <button (click)="read(true)">Break</button>
    <button (dblclick)="never()">Twice</button>
    <ul>
      @for (item of items(); track $index) {
        <app-row [item]="item" (gone)="drop($event)" />
      }
    </ul>
    <p>{{ sum() }} {{ text() }}</p>
  \`,
})
export class App {
  protected readonly items = signal<readonly Item[]>([])
  protected readonly text = signal('')
  protected readonly sum = computed(() => total(this.items()))
  protected name = ''
  private readonly count = computed(() => this.items().filter((item) => item.kind === 'fresh').length)

  constructor() {
    store.listen((said) => this.text.set(said))
    effect(() => {
      if (this.items().length > 50) {
        this.text.set('too many')
      }
    })
  }

  add(): void {
    const item = createItem(this.name, kinds[this.count() % 3])
    if (!item) {
      this.text.set('A name is missing')
      return
    }
    this.items.update((before) => [...before, item])
  }

  sortAll(): void {
    this.items.update((before) => sort(before, before.length > 1))
    store.say('sorted')
  }

  async read(isBroken: boolean): Promise<void> {
    this.text.set(await load(isBroken))
  }

  drop(gone: string): void {
    this.items.update((before) => before.filter((item) => item.name !== gone))
  }

  never(): void {
    const text = 'twice'
    this.text.set(text)
  }
}
`,
}
