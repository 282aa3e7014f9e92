import { expect, test } from 'bun:test'
import { blockCode, printCode } from '../../../src/features/save-test/code/print-code.ts'

test('the lines of blocks and of texts are indented', () => {
  expect(
    printCode(
      `a(b, async () => ${blockCode(['c();', '', `if (d) ${blockCode(['e();'])} else ${blockCode(['f();'])}`])});`,
    ),
  ).toBe('a(b, async () => {\n  c();\n\n  if (d) {\n    e();\n  } else {\n    f();\n  }\n});')
  expect(printCode(blockCode(['a(`\n- b {\n  - c\n`);', 'd();']))).toBe(
    '{\n  a(`\n    - b {\n      - c\n  `);\n  d();\n}',
  )
})

test('a brace or a backtick at the end of a comment, and a backtick within a text, begin nothing', () => {
  const lines = ['// a {', '// b `', 'c(`\nd \\`\n}\n`);', 'e();']
  expect(printCode(blockCode(lines))).toBe('{\n  // a {\n  // b `\n  c(`\n    d \\`\n    }\n  `);\n  e();\n}')
})
