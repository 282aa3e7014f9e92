import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { escapeInvisible } from '../../../src/core/base/text/invisible-characters.ts'
import { markup, printDocument, unescapeHtml } from '../../../src/features/lib/html/print-html.ts'

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'<>&"\'`=/ !-x:;#\n'), maxLength: 40 }),
  fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</title></style></script><h1>PASS</h1>',
    '<!-- --> ]]> <![CDATA[',
    '&lt;b&gt; &#60; &amp',
    '\u202egnp.exe \u001b[31m \0 \ud800',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'https://x.invalid/t.png',
    '//x.invalid',
  ),
)

const print = (text: string): string =>
  printDocument(
    {
      title: text,
      head: markup`<meta name="x" content="${text}">`,
      body: markup`<p class="a ${text}">${text}</p>${[text, markup`<b>${text}</b>`, false, undefined, 7]}
<a href="${text}" title="${text}">x</a><img src="${text}" alt="${text}"><a href="#a-${text}">y</a>`,
      style: 'p{color:red}',
    },
    () => 'sha256-x',
  )

async function parse(html: string) {
  const elements: string[] = []
  const values: string[] = []
  const addresses: string[] = []
  let text = ''
  await new HTMLRewriter()
    .on('*', {
      element({ tagName, attributes }) {
        const pairs = [...attributes].map(([name = '', value = '']) => [name, unescapeHtml(value)] as const)
        elements.push([tagName, ...pairs.map(([name]) => name)].join(' '))
        for (const [name, value] of pairs) (/^(href|src)$/.test(name) ? addresses : values).push(value)
      },
    })
    .onDocument({
      text: (chunk) => void (text += chunk.text),
      comments: () => void elements.push('comment'),
    })
    .transform(new Response(html))
    .text()
  return { elements, values, addresses, text: unescapeHtml(text) }
}

test('whatever a text says, a document has the elements of its templates, and the text', async () => {
  const { elements } = await parse(print('word'))
  await fc.assert(
    fc.asyncProperty(hostile, async (value) => {
      const shown = escapeInvisible(value.toWellFormed())
      const page = await parse(print(value))
      expect(page.elements).toEqual(elements)
      expect(page.text.replace(/\s/g, '')).toBe(
        `${shown}p{color:red}${shown}${shown}${shown}7xy`.replace(/\s/g, ''),
      )
      expect(page.values).toEqual(expect.arrayContaining([shown, `a ${shown}`]))
    }),
    { numRuns: 500 },
  )
}, 60_000)

test('an address is one within the file, a file beside it, or a picture; of any other nothing is left', async () => {
  for (const address of ['#entry-1', './a%20b/report.html', 'data:image/png;base64,iVBORw0K='])
    expect((await parse(print(address))).addresses).toEqual([address, address, `#a-${address}`])
  await fc.assert(
    fc.asyncProperty(hostile, async (value) => {
      const { addresses } = await parse(print(value))
      for (const address of addresses) expect(address).toMatch(/^(#|\.\/)/)
    }),
  )
})
