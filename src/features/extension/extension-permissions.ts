// Which extensions may be loaded where host rules hold, or for clients over HTTP. What is refused here passes the proxy of the session, reads
// files, or starts programs.

import { isRecord } from '../../core/base/text/json.ts'

const REFUSED_PERMISSIONS: ReadonlyMap<string, string> = new Map([
  ['proxy', 'it replaces the proxy that enforces the host rules'],
  ['privacy', 'it changes the routes of WebRTC, which then passes the proxy'],
  ['debugger', 'it has all rights of developer tools'],
  ['nativeMessaging', 'it starts programs of this machine'],
  ['pageCapture', 'it reads pages as files'],
  ['downloads.open', 'it opens files with programs of this machine'],
  ['dns', 'it resolves names beside the proxy'],
])

/** The keys of Chrome apps, whose sockets know no proxy. */
const REFUSED_KEYS = ['app', 'sockets']

const PERMISSION_KEYS = ['permissions', 'optional_permissions']

/** What of a manifest is refused, such as `permission "proxy": …`, or undefined. */
export function findRefusedPermission(manifest: Readonly<Record<string, unknown>>): string | undefined {
  const key = REFUSED_KEYS.find((name) => Object.hasOwn(manifest, name))
  if (key !== undefined) return `the key "${key}" of Chrome apps, whose sockets know no proxy`
  const names = PERMISSION_KEYS.flatMap((name) => permissionNames(manifest[name]))
  const name = names.find((one) => REFUSED_PERMISSIONS.has(one))
  return name === undefined ? undefined : `the permission "${name}": ${REFUSED_PERMISSIONS.get(name)}`
}

// --- internal ---

// A permission with settings is an object with its name as key.
const permissionNames = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.flatMap((one: unknown) =>
        typeof one === 'string' ? [one] : isRecord(one) ? Object.keys(one) : [],
      )
    : []
