// What every page shares: its own record of the values of its widgets, in `window.kept`.

export const kept = `import { createElement, Fragment, useState } from 'react'
import { createRoot } from 'react-dom/client'

window.kept = {}
window.pageErrors = []
addEventListener('error', ({ message }) => window.pageErrors.push(message))

/** Keeps what a widget calls it with: a value, or the event of a field. */
export const save = (key) => (value) => {
  const field = value?.target ?? value?.currentTarget
  window.kept[key] = field && 'value' in field && value.target ? (field.type === 'checkbox' || field.type === 'radio' && field.value === 'on' ? field.checked : field.value) : value
}

/** For a widget that is controlled. */
export function useKept(key, initial) {
  const [value, set] = useState(initial)
  window.kept[key] = value
  return [value, set]
}

export function show(element) {
  const root = document.body.appendChild(document.createElement('main'))
  createRoot(root).render(element)
}
`

/** For pages without React. */
export const keptPlain = `window.kept = {}
window.pageErrors = []
addEventListener('error', ({ message }) => window.pageErrors.push(message))

export const save = (key) => (value) => {
  window.kept[key] = value
}

export function html(text) {
  const root = document.body.appendChild(document.createElement('main'))
  root.innerHTML = text
  return root
}
`
