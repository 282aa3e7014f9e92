/** Below 300 tokens: what it says of the shell is printed by the version that runs. */
export const SKILL = `---
name: footlight
description: Use a real browser and the dev server behind it from the shell. For opening, reading, clicking, filling, checking and photographing web pages, finding out why a page of this project fails, and writing or running Playwright tests.
---

# footlight

\`footlight\` keeps a browser session open between commands and starts dev servers.

Before the first use read \`footlight help agent\`: all verbs in one page. Then, for example:

\`\`\`sh
footlight up "npm run dev" /login
footlight snap
footlight fill Email ada@example.org Password secret --submit
footlight wait "Welcome"
footlight verify
footlight close
\`\`\`

Each action says what it changed on the page; a failure says why, with console, requests, server lines and the closest elements.
Before you say that a change is done, \`footlight verify\` must say PASS: it knows which changed lines have run.
The last line of \`verify\`, \`compare\`, \`report\` and \`video stop\` is the command that posts it to the pull request, pictures too: run it if the user wants that.
`
