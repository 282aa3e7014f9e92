// What a kit says of itself, in kit.json: the first file of the archive. What it does not name is not unpacked.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import * as v from 'valibot'
import { err, ok, type Result } from '../../core/base/result.ts'
import { parseJson } from '../../core/base/text/json.ts'
import { KIT_LAYOUT, kitName } from '../../core/browser/process/kit-folders.ts'
import { isOlderVersion } from './elf.ts'

export const MANIFEST_FILE = 'kit.json'

const kitPath = v.pipe(v.string(), v.check(isKitPath, 'a path within the kit'))
const byteCount = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

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
  entry: kitPath,
  files: v.array(
    v.object({
      path: kitPath,
      size: byteCount,
      executable: v.boolean(),
      sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'a SHA-256')),
    }),
  ),
  links: v.array(v.object({ path: kitPath, target: v.string() })),
})

export type Manifest = Readonly<v.InferOutput<typeof schema>>

/** This machine; `glibc` where that is known. */
export interface Machine {
  readonly platform: string
  readonly arch: string
  readonly glibc?: string | undefined
}

/** Reads a manifest and says what is wrong with it, in a sentence. */
export function parseManifest(text: string): Result<Manifest, string> {
  const parseResult = v.safeParse(schema, parseJson(text))
  if (!parseResult.success) {
    const [issue] = parseResult.issues
    return err(`its ${MANIFEST_FILE} is invalid: ${v.getDotPath(issue) ?? 'all of it'}: ${issue.message}`)
  }
  const kit = parseResult.output
  const paths = [...kit.files, ...kit.links].map(({ path }) => path)
  const duplicate = paths.find((path, index) => paths.indexOf(path) !== index)
  if (duplicate !== undefined) return err(`it lists ${duplicate} twice`)
  const links = new Set(kit.links.map(({ path }) => path))
  const pathBehindLink = paths.find((path) => parents(path).some((parent) => links.has(parent)))
  if (pathBehindLink !== undefined) return err(`${pathBehindLink} is behind a link`)
  const escapingLink = kit.links.find(({ path, target }) => !isLinkInside(path, target))
  if (escapingLink)
    return err(`the link ${escapingLink.path} points out of the kit, to ${escapingLink.target}`)
  if (!kit.files.some(({ path }) => path === kit.entry)) return err(`its program ${kit.entry} is not in it`)
  return ok(kit)
}

/** Why this kit cannot run here, or undefined. */
export function findIncompatibility(
  { platform, arch, glibc }: Manifest,
  machine: Machine,
): string | undefined {
  if (platform !== machine.platform || arch !== machine.arch)
    return `it is for ${platform} ${arch}, this machine is ${machine.platform} ${machine.arch}: create one on a machine like this`
  if (glibc === undefined || machine.platform !== 'linux') return undefined
  if (machine.glibc === undefined)
    return `it needs glibc ${glibc}, and this machine has another C library: create one on a machine like this`
  return isOlderVersion(machine.glibc, glibc)
    ? `it needs glibc ${glibc}, this machine has ${machine.glibc}: pack one on an older system`
    : undefined
}

export const kitFolderName = ({ browser, shell, version }: Manifest): string =>
  kitName(browser, shell, version)

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

export async function digestFile(file: string): Promise<{ readonly sha256: string; readonly size: number }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer)
    size += (chunk as Buffer).length
  }
  return { sha256: hash.digest('hex'), size }
}

/** Whether a link at `path` that says `target` still leads into the kit. */
export function isLinkInside(path: string, target: string): boolean {
  if (target === '' || /^[/\\]|^\w:|[\0\\]/.test(target)) return false
  let depth = path.split('/').length - 1
  return target.split('/').every((part) => {
    if (part === '..') depth -= 1
    else if (part !== '.' && part !== '') depth += 1
    return depth >= 0
  })
}

// --- internal ---

function isKitPath(path: string): boolean {
  const parts = path.split('/')
  return (
    !/[\0\\]|^\w:/.test(path) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..') &&
    path !== MANIFEST_FILE
  )
}

const parents = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'))
