/** The page that an agent reads before it uses the shell: at most 1,500 tokens. */
export const AGENT_HELP = `footlight [-s NAME] VERB [TARGET] [VALUE...] [--option VALUE]
A browser, and the dev server behind it. The session stays open between commands; it is that of this work tree and this agent. -s NAME, before the verb, uses or opens another one.

Start
  up "npm run dev" [/path]    dev server, session and first page
  open URL                    session and page (--device, --storage-state FILE …); with an open session only the page
  close [--all]   list   status   restart (the dev server)
See
  snap [TARGET]               the page as text; [e12] after an element is its ref
  find TEXT|REGEX             the lines of it that match
  shot [TARGET] [a.png] [--full-page] [--baseline b.png]    a picture; prints its path
  content [TARGET]   source TARGET (file and line)   eval SCRIPT [TARGET]   exists TARGET   tabs [new URL]
Act
  click | dblclick | hover | check | uncheck TARGET
  fill TARGET TEXT [TARGET TEXT...] [--submit]      replaces; several pairs are a form
  type [TARGET] TEXT   press [TARGET] KEY   select TARGET VALUE...   upload TARGET PATH...   drag TARGET TO
  goto URL   back   forward   reload   dialog accept|dismiss [TEXT]
  do 'fill e3 ada' 'click e4' snap                  several commands in one; or lines on stdin; stops at the first failure
Wait and check
  wait TEXT   wait TARGET [--is visible|hidden|enabled|disabled|checked|…] [--value V] [--count N]   wait --gone TEXT   wait --url PART
Diagnose
  console [error]   net [failed|PATTERN|ID [body]]   log [PATTERN]   timeline   report
  audit [--since edit]        accessibility, vitals, layout; what an edit broke
Control
  handover "what to do"       waits for the user, who acts in footlight view
  wait --comment              what the user says about elements there; wait --answers "1 done: words" answers
  mock URL STATUS|JSON   emulate --viewport 390x844   storage save|load PATH
Tests
  save tests/x.spec.ts        what the session did as a Playwright test; wait becomes an assertion
  test [PATH]                 runs Playwright tests
  compare [--base REV] [PATH...|session]    what the change does for a user, and which line did it
  verify [--ci]               before you say done: PASS, FAIL or UNVERIFIED, with the changed lines that did not run

TARGET is, in this order
  e12                         a ref of a snapshot; it stays valid until the element is gone
  '"Add to cart"'             quotes that reach the program: exactly this text
  button:Save                 ARIA role and name; button:'"Save"' is exact
  #save  //li[2]  getByRole('button', { name: 'Save' })    a selector
  Add to cart                 other words: a part of a text, in any case
A text of fill, type, select, check and upload is a label or placeholder.

After the first snap every action answers what it changed (+ new, - gone, ~ changed): no snap after each one. Waiting is built in: no sleeps.
A failure says why on stdout, with console errors, failed requests, server lines, the closest elements and a screenshot's path.
A long page is an outline and a file. --json prints the data on one line, --raw the value alone.
Exit codes: 0 success, 1 the call failed, 2 usage, 3 no such session, 4 the server cannot be reached, 5 unverified, 124 a deadline passed.
footlight VERB --help has all options of a verb.`
