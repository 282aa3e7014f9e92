// Playwright calls a function with all matches, with one element, or with none. These convert each of them to an array of elements.

interface Dependencies<A, T> {
  run(elements: Element[], arg: A): T
}

export const runOnMatches = <A, T>(
  { run }: Dependencies<A, T>,
  { elements }: { readonly elements: Element[] },
  arg: A,
): T => run(elements, arg)

export const runOnElement = <A, T>({ run }: Dependencies<A, T>, element: Element, arg: A): T =>
  run([element], arg)

export const runOnNothing = <A, T>({ run }: Dependencies<A, T>, arg: A): T => run([], arg)
