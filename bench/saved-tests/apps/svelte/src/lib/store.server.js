// Notes and files of each visitor, in memory.
const visitors = (globalThis.visitors ??= new Map())

const initial = () => ({
  nextId: 4,
  notes: [
    {
      id: 1,
      title: 'Groceries',
      body: 'Milk, bread, apples',
      tags: ['home'],
      isPinned: false,
      isArchived: false,
    },
    {
      id: 2,
      title: 'Meeting agenda',
      body: 'Budget, hiring',
      tags: ['work'],
      isPinned: false,
      isArchived: false,
    },
    { id: 3, title: 'Book list', body: 'Middlemarch', tags: [], isPinned: false, isArchived: false },
  ],
  files: [],
})

export function dataOf(sid) {
  if (!visitors.has(sid)) visitors.set(sid, initial())
  return visitors.get(sid)
}
