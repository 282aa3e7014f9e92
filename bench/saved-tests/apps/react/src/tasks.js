const KEY = 'tasks'

const initial = [
  { id: 1, title: 'Write report', priority: 'High', due: '2027-01-15', notes: '', isDone: false },
  {
    id: 2,
    title: 'Book flights',
    priority: 'Medium',
    due: '2027-02-01',
    notes: 'Window seat',
    isDone: false,
  },
  { id: 3, title: 'Review budget', priority: 'Low', due: '', notes: '', isDone: false },
  { id: 4, title: 'Pay rent', priority: 'High', due: '2026-12-01', notes: '', isDone: true },
]

export const loadTasks = () => JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? initial

export const storeTasks = (tasks) => localStorage.setItem(KEY, JSON.stringify(tasks))

export function saveTask(tasks, draft) {
  if (draft.id !== undefined)
    return tasks.map((task) => (task.id === draft.id ? { ...task, ...draft } : task))
  const id = Math.max(0, ...tasks.map((task) => task.id)) + 1
  return [...tasks, { ...draft, id, priority: draft.priority, isDone: false }]
}

export const removeTask = (tasks, id) => tasks.filter((task) => task.id !== id)

export const toggleTask = (tasks, id) =>
  tasks.map((task) => (task.id === id ? { ...task, isDone: !task.isDone } : task))

export function validate(draft) {
  if (draft.title.trim() === '') return 'Title is required'
  if (draft.title.length > 60) return 'At most 60 characters'
  return undefined
}

const ranks = { High: 0, Medium: 1, Low: 2 }
const orders = {
  created: (a, b) => a.id - b.id,
  priority: (a, b) => ranks[a.priority] - ranks[b.priority] || a.id - b.id,
  title: (a, b) => a.title.localeCompare(b.title),
}

export const visibleTasks = (tasks, { status, query, order }) =>
  tasks
    .filter((task) => status === 'all' || task.isDone === (status === 'done'))
    .filter((task) => task.title.toLowerCase().includes(query.toLowerCase()))
    .toSorted(orders[order])

export const summaryOf = (tasks) => {
  const done = tasks.filter((task) => task.isDone).length
  return `${tasks.length - done} open, ${done} done`
}
