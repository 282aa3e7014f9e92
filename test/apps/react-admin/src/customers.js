const names = ['Ada Lovelace', 'Alan Turing', 'Barbara Liskov', 'Edsger Dijkstra', 'Grace Hopper']

export const customers = names.map((name, index) => ({
  id: index + 1,
  name,
  email: `${name.toLowerCase().replace(' ', '.')}@example.com`,
  order: `ORD-2026-${1000 + index}`,
  reference: `3f0c1b52-6a1d-4a7e-9a55-0e2f4c8d7b1${index}`,
  state: 'CA',
  code: `SAVE${index}0`,
  total: 19.5 + index,
}))
