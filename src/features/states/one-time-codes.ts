// Secrets that are otpauth:// URIs, as authenticators read them from a QR code: who asks for one gets its code of this moment (RFC 6238).

import { createHmac } from 'node:crypto'
import type { Secrets } from '../../core/base/redaction/secret-placeholders.ts'
import type { Clock } from '../../core/base/system/timer.ts'

interface CodeGenerator {
  readonly key: Uint8Array
  readonly algorithm: string
  readonly digits: number
  readonly periodMs: number
}

/** The secrets with codes in place of URIs. `onCode` gets each code that is read, because it is a secret too. Throws for a URI that is none. */
export function withOneTimeCodes(secrets: Secrets, clock: Clock, onCode: (code: string) => void): Secrets {
  const generators = new Map(
    [...secrets]
      .filter(([, value]) => value.startsWith('otpauth://'))
      .map(([name, uri]) => [name, parseUri(name, uri)]),
  )
  if (generators.size === 0) return secrets
  return Object.assign(new Map(secrets), {
    get(name: string): string | undefined {
      const generator = generators.get(name)
      if (!generator) return secrets.get(name)
      const code = codeAt(generator, clock())
      onCode(code)
      return code
    },
  })
}

// --- internal ---

/** `at` is in Unix milliseconds. */
function codeAt({ key, algorithm, digits, periodMs }: CodeGenerator, at: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / periodMs)))
  const digest = createHmac(algorithm, key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

function parseUri(name: string, uri: string): CodeGenerator {
  // One that cannot be parsed is refused below, by its name.
  const { host, searchParams } = new URL(URL.canParse(uri) ? uri : 'otpauth://invalid')
  const [algorithm, digits, period] = ['algorithm', 'digits', 'period'].map((key) => searchParams.get(key))
  const generator = {
    key: decodeBase32(searchParams.get('secret') ?? ''),
    algorithm: (algorithm ?? 'SHA1').toLowerCase(),
    digits: Number(digits ?? 6),
    periodMs: Number(period ?? 30) * 1000,
  }
  const isValid =
    host === 'totp' &&
    generator.key.length > 0 &&
    /^sha(1|256|512)$/.test(generator.algorithm) &&
    generator.digits >= 6 &&
    generator.digits <= 8 &&
    generator.periodMs > 0
  if (!isValid) throw new Error(`--secrets: ${name} is no otpauth://totp/ URI with a secret in base32`)
  return generator
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function decodeBase32(text: string): Uint8Array {
  const values = [...text.toUpperCase().replace(/[\s=-]/g, '')].map((letter) => ALPHABET.indexOf(letter))
  if (values.includes(-1)) return new Uint8Array()
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}
