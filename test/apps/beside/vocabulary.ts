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
    failedRequests: (pattern) => ['network_requests', on({ filter: 'failed', pattern, limit: 1 })],
    body: (_, answer) => ['network_requests', on({ id: Number(/^(\d+) /.exec(answer)?.[1]), part: 'body' })],
    search: (pattern) => ['snapshot', on({ pattern })],
    hover: (target) => ['hover', on(at(target))],
    fill: (fields) => [
      'fill_form',
      on({ fields: fields.map(([target, , value]) => ({ ...at(target), value })) }),
    ],
    drop: (target, paths) => ['upload_file', on({ ...at(target), paths })],
    keys: (text) => [['type', on({ text })]],
    wait: (text) => ['wait_for', on({ text })],
    resize: (width, height) => ['emulate', on({ viewport: { width, height } })],
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
  failedRequests: (filter) => ['browser_network_requests', { filter }],
  body: (_, answer) => [
    'browser_network_request',
    { index: Number(/(\d+)\. \[/.exec(answer)?.[1]), part: 'response-body' },
  ],
  search: (text) => ['browser_find', { text }],
  hover: (target) => ['browser_hover', { element: 'it', target }],
  fill: (fields) => [
    'browser_fill_form',
    { fields: fields.map(([target, type, value]) => ({ name: 'it', target, type, value: String(value) })) },
  ],
  drop: (target, paths) => ['browser_drop', { element: 'it', target, paths }],
  keys: (text) => [...text].map((key) => ['browser_press_key', { key }]),
  wait: (text) => ['browser_wait_for', { text }],
  resize: (width, height) => ['browser_resize', { width, height }],
}
