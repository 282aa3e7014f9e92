import { Component, signal } from '@angular/core'

@Component({
  selector: 'app-root',
  template: `
    <h1>First title</h1>
    <button id="counter" (click)="increment()">Count: {{ count() }}</button>
  `,
})
export class App {
  count = signal(0)

  increment() {
    this.count.update((count) => count + 1)
  }
}
