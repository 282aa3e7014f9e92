// The hook of Footlight in a JSON file of hooks, where each event has a list: `{"hooks": {"Stop": [...]}}`. An entry of the list is ours if its only
// command is.

import { isDeepStrictEqual } from 'node:util'
import { findNodeAtLocation, type Node, parse } from 'jsonc-parser'
import { err, map, ok, type Result } from '../../core/base/result.ts'
import { isRecord } from '../../core/base/text/json.ts'
import { type EntryLocation, eolOf, type Format } from './document.ts'
import { insertInto, PARSE_OPTIONS, parseRoot, removeFrom, verifyEdit } from './json-edits.ts'

type Data = Record<string, unknown>

/** `version` is that of the form of the file, where it says one. The name of a location is the event. */
export const hookFormatOf = (version: number | undefined): Format => ({
  entry: (text, at) => map(readList(text, at), ({ own }) => own?.value),
  put: (text, at, fields) => put(text, at, fields, version),
  drop,
})

// --- internal ---

interface HookList {
  readonly root: Node | undefined
  readonly data: Data
  readonly elements: readonly unknown[]
  readonly own: { readonly value: Data; readonly index: number } | undefined
}

function readList(text: string, { key, name }: EntryLocation): Result<HookList, string> {
  const root = parseRoot(text, key)
  if (!root.ok) return root
  const data = (parse(text, [], PARSE_OPTIONS) ?? {}) as Record<string, Data | undefined>
  const elements = data[key]?.[name] ?? []
  if (!Array.isArray(elements)) return err(`has something other than a list as ${key}.${name}. Fix it first`)
  const index = elements.findIndex(isOwn)
  const own = index < 0 ? undefined : { value: elements[index] as Data, index }
  return ok({ root: root.value, data, elements, own })
}

function isOwn(element: unknown): boolean {
  if (!isRecord(element)) return false
  const hooks = Array.isArray(element['hooks']) ? element['hooks'] : [element]
  const [hook] = hooks as readonly unknown[]
  return hooks.length === 1 && isRecord(hook) && /\bverify --hook\b/.test(String(hook['command']))
}

function put(
  text: string,
  at: EntryLocation,
  fields: Data,
  version: number | undefined,
): Result<string, string> {
  const list = readList(text, at)
  if (!list.ok) return list
  const { root, data, elements, own } = list.value
  if (own) {
    const removal = drop(text, at)
    if (isDeepStrictEqual(own.value, fields) || !removal.ok) return removal.ok ? ok(text) : removal
    return put(removal.value, at, fields, version)
  }
  const { key, name } = at
  const versionField = version === undefined || 'version' in data ? {} : { version }
  const hooks = { ...(data[key] as Data | undefined), [name]: [...elements, fields] }
  const newText = root
    ? addVersion(addElement(text, root, at, fields), versionField)
    : newDocument(text, { ...versionField, [key]: hooks })
  return verifyEdit(newText, { ...data, [key]: hooks, ...versionField })
}

function newDocument(text: string, data: Data): string {
  const before = text.trim() === '' ? '' : text.replace(/(?<!\n)$/, eolOf(text))
  return `${before}${JSON.stringify(data, null, 2).replaceAll('\n', eolOf(text))}${eolOf(text)}`
}

function addElement(text: string, root: Node, { key, name }: EntryLocation, fields: Data): string {
  const hooks = findNodeAtLocation(root, [key])
  if (!hooks) return insertInto(text, root, key, { [name]: [fields] })
  const list = findNodeAtLocation(hooks, [name])
  return list ? insertInto(text, list, undefined, fields) : insertInto(text, hooks, name, [fields])
}

function addVersion(text: string, fields: Data): string {
  const root = parseRoot(text, '')
  const [entry] = Object.entries(fields)
  return entry && root.ok && root.value ? insertInto(text, root.value, ...entry) : text
}

/** Takes it out, and the list and the object around it if they hold nothing else. */
function drop(text: string, at: EntryLocation): Result<string, string> {
  const list = readList(text, at)
  if (!list.ok) return list
  const { root, data, elements, own } = list.value
  if (!root || !own) return ok(text)
  const { key, name } = at
  const { [name]: _, ...otherEvents } = data[key] as Data
  const { [key]: __, ...otherFields } = data
  const others = elements.filter((_element, index) => index !== own.index)
  const hasOthers = others.length > 0
  const hasEvents = Object.keys(otherEvents).length > 0
  const path = hasOthers ? [key, name, own.index] : hasEvents ? [key, name] : [key]
  const node = findNodeAtLocation(root, path)
  const target = hasOthers ? node : node?.parent
  if (!target) return ok(text)
  const hooks = hasOthers ? { ...(data[key] as Data), [name]: others } : otherEvents
  return verifyEdit(
    removeFrom(text, target),
    hasOthers || hasEvents ? { ...data, [key]: hooks } : otherFields,
  )
}
