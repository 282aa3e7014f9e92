// What a kit says of itself, in kit.json: the first file of the archive. What it does not name is not unpacked.

import * as v from 'valibot'
import { KIT_LAYOUT, kitName } from '../../browser/find/kit-folders.ts'
import { olderThan } from './elf.ts'
import { err, ok, type Result } from '../../core/result.ts'

export const MANIFEST = 'kit.json'

const name = v.pipe(v.string(), v.check(isInside, 'a path within the kit'))
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const schema = v.object({
  format: v.literal(1),
  browser: v.picklist(['chromium', 'firefox']),
  /** The build of Chromium that has no windows. */
  shell: v.boolean(),
  version: v.pipe(v.string(), v.regex(/^\d[\w.-]*$/, 'a version')),
  platform: v.string(),
  arch: v.string(),
  /** The oldest glibc with which it runs, on Linux. */
  glibc: v.optional(v.pipe(v.string(), v.regex(/^\d+\.\d+$/, 'a version'))),
  /** What is started. */
  entry: name,
  files: v.array(
    v.object({
      path: name,
      size: whole,
      executable: v.boolean(),
      sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'a SHA-256')),
    }),
  ),
  links: v.array(v.object({ path: name, target: v.string() })),
})

export type Manifest = Readonly<v.InferOutput<typeof schema>>

/** This machine; `glibc` where that is known. */
export interface Here {
  readonly platform: string
  readonly arch: string
  readonly glibc?: string | undefined
}

/** Reads a manifest and says what is wrong with it, in a sentence. */
export function parseManifest(text: string): Result<Manifest, string> {
  const parsed = v.safeParse(schema, json(text))
  if (!parsed.success) {
    const [issue] = parsed.issues
    return err(`its ${MANIFEST} is invalid: ${v.getDotPath(issue) ?? 'all of it'}: ${issue.message}`)
  }
  const kit = parsed.output
  const paths = [...kit.files, ...kit.links].map(({ path }) => path)
  const twice = paths.find((path, index) => paths.indexOf(path) !== index)
  if (twice !== undefined) return err(`it lists ${twice} twice`)
  const links = new Set(kit.links.map(({ path }) => path))
  const through = paths.find((path) => parents(path).some((parent) => links.has(parent)))
  if (through !== undefined) return err(`${through} is behind a link`)
  const escaped = kit.links.find(({ path, target }) => !staysInside(path, target))
  if (escaped) return err(`the link ${escaped.path} points out of the kit, to ${escaped.target}`)
  if (!kit.files.some(({ path }) => path === kit.entry)) return err(`its program ${kit.entry} is not in it`)
  return ok(kit)
}

/** Why this kit cannot run here, or undefined. */
export function foreign({ platform, arch, glibc }: Manifest, here: Here): string | undefined {
  if (platform !== here.platform || arch !== here.arch)
    return `it is for ${platform} ${arch}, this machine is ${here.platform} ${here.arch}: create one on a machine like this`
  if (glibc === undefined || here.platform !== 'linux') return undefined
  if (here.glibc === undefined)
    return `it needs glibc ${glibc}, and this machine has another C library: create one on a machine like this`
  return olderThan(here.glibc, glibc)
    ? `it needs glibc ${glibc}, this machine has ${here.glibc}: pack one on an older system`
    : undefined
}

export const folderOf = ({ browser, shell, version }: Manifest): string => kitName(browser, shell, version)

/** The script that starts a kit on Linux. Its own libraries and, where the machine has no fonts, its own font are put in force. */
export const startScript = (program: string): string => `#!/bin/sh
here=\${0%/*}
export LD_LIBRARY_PATH="$here/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$here/fonts/fonts.conf"
exec "$here/${KIT_LAYOUT.browser}/${program}" "$@"
`

export const fontConfig = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir prefix="relative">.</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`

/** Whether a link at `path` that says `target` still leads into the kit. */
export function staysInside(path: string, target: string): boolean {
  if (target === '' || /^[/\\]|^\w:|[\0\\]/.test(target)) return false
  let depth = path.split('/').length - 1
  return target.split('/').every((part) => {
    if (part === '..') depth -= 1
    else if (part !== '.' && part !== '') depth += 1
    return depth >= 0
  })
}

// --- internal ---

function isInside(path: string): boolean {
  const parts = path.split('/')
  return (
    !/[\0\\]|^\w:/.test(path) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..') &&
    path !== MANIFEST
  )
}

const parents = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'))

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
