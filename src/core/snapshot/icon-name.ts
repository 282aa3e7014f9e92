// A name for an element that has neither a text nor a label: what its author called its icon, its class, its id or its image.

import type { IconDescription } from '../sessions/types/snapshot.ts'

const ICON_NAME_LIMIT_CHARS = 40
const CLASS_LIMIT = 3

/** At most 40 characters in one line; empty if nothing names the element. */
export function chooseIconName({ label, icon, classes, id, source, tag }: IconDescription): string {
  const candidates = [
    label,
    icon,
    ...classes.map(nameOfClasses),
    isGenerated(id) ? '' : id,
    fileNameOf(source),
    boxTag.test(tag) ? '' : tag,
    classes[0] ?? '',
  ]
  const name = candidates.map(toOneLine).find((candidate) => candidate !== '') ?? ''
  return [...name].slice(0, ICON_NAME_LIMIT_CHARS).join('').trim()
}

// --- internal ---

const boxTag = /^(div|span|i|b|a|p|section|header|footer|form|label|img|svg)$/

const anyOf = (words: string) => `(?:${words.replaceAll(' ', '|')})`
const utilityPrefix = anyOf(
  'w h min max size p m px py pt pr pb pl mx my mt mr mb ml gap space text font leading tracking bg fill stroke border rounded ring shadow opacity flex grid items justify self content place col row z cursor select pointer overflow object transition duration ease delay transform animate align d float position',
)
const measurePrefix = anyOf('inset top left right bottom start end order rotate scale translate')
const frameworkPrefix = anyOf('css sc svelte ng v emotion jsx astro tw')
const commonName = anyOf(
  'flex grid block inline inline-block inline-flex hidden absolute relative fixed static sticky border rounded shadow transition truncate shrink grow container wrapper row col box item btn button card cell tile clickable pointer icon fa fas far fab fal bi mdi glyphicon material-icons lucide svg img image',
)
// Classes of utility frameworks, of scoped styles and of no meaning.
const unnamingClass = new RegExp(
  `[:[\\]/()!@%]|^-?${utilityPrefix}-|^-?${measurePrefix}(?:-[xy])?-(?:\\d|auto|full|px)|^${frameworkPrefix}-|^${commonName}$`,
  'i',
)

/** The classes that name something: `fa fa-trash w-4` is `fa-trash`. */
function nameOfClasses(text: string): string {
  const names = text.split(/\s+/).map(withoutHash)
  const telling = names.filter((name) => name !== '' && !unnamingClass.test(name) && !isGenerated(name))
  return telling.slice(0, CLASS_LIMIT).join(' ')
}

// CSS modules append a hash: Toolbar_trash__x7Gh2.
const withoutHash = (name: string): string => name.replace(/__(?=\w*\d)\w{5,8}$/, '')

// A hash, or hardly a letter.
const isGenerated = (name: string): boolean => /\d[a-zA-Z]+\d/.test(name) || !/[\p{L}]{2}/u.test(name)

const fileNameOf = (source: string): string =>
  source
    .replace(/[?#].*$/s, '')
    .replace(/^.*[/\\]/s, '')
    .replace(/\.\w{2,5}$/, '')

const toOneLine = (text: string): string => text.replace(/[\p{C}\s]+/gu, ' ').trim()
