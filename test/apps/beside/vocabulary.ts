// What an agent says to each contender.

import type { Vocabulary } from './agent.ts'

export const footlight = (sessionId: string): Vocabulary => {
  const on = (input: Record<string, unknown> = {}) => ({ sessionId, ...input })
  const at = (target: string) => (/^(f\d+)?e\d+$/.test(target) ? { ref: target } : { selector: target })
  return {
    open: (url) => ['navigate', on({ url })],
    read: () => ['snapshot', on()],
    click: (target) => ['click', on(at(target))],
    enter: (target, text) => [
      ['type', on({ ...at(target), text, clear: true })],
      ['fill_form', on({ fields: [{ ...at(target), value: text }] })],
    ],
    choose: (target, value) => ['select', on({ ...at(target), values: [value] })],
    drag: (from, to) => ['drag', on({ ref: from, toRef: to })],
    upload: (target, paths) => [['upload_file', on({ ...at(target), paths })]],
    dialog: (accept) => ['handle_dialog', on({ accept })],
    lastTab: (answer) => {
      const id = /\bt\d+\b/.exec(answer)?.[0]
      return id === undefined
        ? [['tabs', on({ action: 'list' })]]
        : [['tabs', on({ action: 'select', tabId: id })]]
    },
    console: () => ['console_messages', on({ level: 'warning' })],
    network: () => ['network_requests', on({ limit: 20 })],
    wait: (text) => ['wait_for', on({ text })],
  }
}

export const playwrightMcp: Vocabulary = {
  open: (url) => ['browser_navigate', { url }],
  read: () => ['browser_snapshot'],
  click: (target) => ['browser_click', { element: 'it', target }],
  enter: (target, text) => [
    ['browser_type', { element: 'it', target, text }],
    ['browser_type', { element: 'it', target, text, slowly: true }],
  ],
  choose: (target, value) => ['browser_select_option', { element: 'it', target, values: [value] }],
  drag: (from, to) => [
    'browser_drag',
    { startElement: 'it', startTarget: from, endElement: 'there', endTarget: to },
  ],
  upload: (target, paths) => [
    ['browser_click', { element: 'it', target }],
    ['browser_file_upload', { paths }],
  ],
  dialog: (accept) => ['browser_handle_dialog', { accept }],
  lastTab: () => [['browser_tabs', { action: 'select', index: 1 }]],
  console: () => ['browser_console_messages', { level: 'warning' }],
  network: () => ['browser_network_requests'],
  wait: (text) => ['browser_wait_for', { text }],
}
