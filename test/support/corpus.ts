// URLs and what the host policy must say of them: A allow, P private or special address, H host not listed, S scheme, U credentials,
// R port, M malformed. Allowed are app.example, *.cdn.example and the dev server on loopback port 3000.

import { checkOrigin, type HostPolicy, originOf } from '../../src/core/base/network/host-rules.ts'
import { checkUrl } from '../../src/core/base/network/page-url.ts'

export type Verdict = 'A' | 'P' | 'H' | 'S' | 'U' | 'R' | 'M'

const rows: readonly (readonly [Verdict, ...string[]])[] = [
  [
    'A',
    'http://localhost:3000/',
    'http://LOCALHOST:3000/a?b#c',
    'http://127.0.0.1:3000/',
    'http://[::1]:3000/',
    'https://app.example/',
  ],
  [
    'A',
    'https://APP.EXAMPLE:443/x',
    'https://app.example./',
    'http://app。example/',
    'https://img.cdn.example/',
    'about:blank',
  ],
  ['P', 'http://localhost:3001/', 'http://localhost/', 'http://localhost:9222/json'],
  [
    'P',
    'http://127.0.0.1/',
    'http://127.1:80/',
    'http://127.0.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
  ],
  [
    'P',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://0x7f.0.0.0x1/',
    'http://127.0.0.1./',
    'http://127。0。0。1/',
  ],
  ['P', 'http://127%2e0%2e0%2e1/', 'http://①②⑦.⓪.⓪.①/'],
  [
    'P',
    'http://127.255.255.254/',
    'http://ⓛocalhost/',
    'http://ｌｏｃａｌｈｏｓｔ/',
    'http://loc\talhost/',
    'http://localhost./',
  ],
  ['P', 'http://foo.localhost/', 'http://0/', 'http://0.0.0.0:8080/', 'http://00000000/'],
  ['H', 'http://localhost.localdomain/'],
  [
    'P',
    'http://[::]/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
  ],
  [
    'P',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[64:ff9b:1::7f00:1]/',
    'http://[2002:7f00:1::]/',
  ],
  [
    'P',
    'http://[2001:0:7f00:1::]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[fec0::1]/',
  ],
  ['P', 'http://[ff02::1]/'],
  ['M', 'http://[fe80::1%25lo]/'],
  [
    'P',
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xA9FEA9FE/',
    'http://0251.0376.0251.0376/',
  ],
  [
    'P',
    'http://169.254.43518/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://169.254.170.2/v2/credentials',
    'http://100.100.100.200/',
  ],
  ['P', 'http://[fd00:ec2::254]/latest/', 'http://168.63.129.16/'],
  [
    'P',
    'http://metadata.google.internal/',
    'http://METADATA.google.internal./computeMetadata/v1/',
    'http://metadata/computeMetadata/v1/',
    'http://instance-data/latest/',
    'http://metadata.tencentyun.com/',
  ],
  ['P', 'http://[fd00:ec2::23]/', 'http://[fd20:ce::254]/', 'http://[fd00:c1::a9fe:a9fe]/'],
  ['P', 'http://192.0.0.192/', 'http://169.254.170.23/', 'http://169.254.0.23/', 'http://169.254.42.42/'],
  ['P', 'http://[fd00:42::42]/', 'http://[fe80::a9fe:a9fe]/'],
  [
    'P',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
  ],
  [
    'P',
    'http://192.0.0.1/',
    'http://192.0.2.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
  ],
  ['H', 'http://172.32.0.1/'],
  [
    'P',
    'http://app.example@127.0.0.1/',
    'http://127.0.0.1\\@app.example/',
    'http:\\\\127.0.0.1\\',
    'http:/127.0.0.1/',
    'http:127.0.0.1/',
  ],
  ['U', 'http://127.0.0.1@app.example/'],
  ['M', '//127.0.0.1/', 'http://app.example%00.evil.test/'],
  ['A', 'http://app.example#@127.0.0.1/', 'http://app.example?@127.0.0.1/'],
  ['P', 'http://app.example%2f@127.0.0.1/', '  http://127.0.0.1/', 'ht\ntp://127.0.0.1/'],
  ['H', 'http://app.example:80@evil.test/'],
  [
    'H',
    'http://app.example.evil.test/',
    'http://evilapp.example/',
    'https://cdn.example/',
    'http://аpp.example/',
  ],
  ['H', 'http://localtest.me/', 'http://127.0.0.1.nip.io/', 'http://7f000001.c0a80001.rbndr.us/'],
  [
    'M',
    'http://256.256.256.256/',
    'http://1.2.3.4.5/',
    'http://09.0.0.1/',
    'http://[::1',
    'http://',
    'http://app.example:99999/',
    '',
    'not a url',
  ],
  ['R', 'http://app.example:22/', 'http://app.example:25/', 'http://app.example:6379/'],
  [
    'S',
    'file:///etc/passwd',
    'FILE:/etc/passwd',
    'file://localhost/etc/passwd',
    'view-source:file:///etc/passwd',
  ],
  [
    'S',
    'view-source:http://169.254.169.254/',
    'data:text/html,x',
    'blob:http://127.0.0.1/u',
    'filesystem:http://127.0.0.1/t/x',
  ],
  [
    'S',
    'javascript:fetch(1)',
    'ws://127.0.0.1:6379/',
    'ftp://127.0.0.1/',
    'gopher://127.0.0.1:6379/_x',
    'chrome://settings',
  ],
  [
    'S',
    'chrome://crash',
    'chrome-extension://a/x',
    'devtools://devtools/x',
    'about:settings',
    'jar:http://127.0.0.1!/x',
  ],
  ['S', 'unix:/var/run/docker.sock', 'intent://127.0.0.1#Intent;end'],
]

export const corpus = rows.flatMap(([expected, ...urls]) => urls.map((url) => ({ url, expected })))

/** What the rules say of a URL, as one letter. */
export function verdict(raw: string, policy: HostPolicy): Verdict {
  const checked = checkUrl(raw, true)
  if (!checked.ok) {
    if (checked.error.code === 'INVALID_PARAMETERS') return 'M'
    return checked.error.code === 'ACCESS_DENIED' && /scheme/.test(checked.error.rule) ? 'S' : 'U'
  }
  if (checked.value === 'about:blank') return 'A'
  const url = new URL(checked.value)
  const denial = checkOrigin(originOf(url), policy)
  if (!denial) return url.username || url.password ? 'U' : 'A'
  if (/list/.test(denial.rule)) return 'H'
  return /port/.test(denial.rule) ? 'R' : 'P'
}
