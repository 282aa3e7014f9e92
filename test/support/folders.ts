// What may import what in src, and which files may have effects; test/architecture.test.ts compares it with the imports. The lists that end in
// `Exceptions` break the rule: they may only shrink.

type Rows = Readonly<Record<string, readonly string[]>>

/** The rooms of the core, from the bottom up, with those that each may import. */
export const rooms: Rows = {
  base: [],
  tool: ['base'],
  sessions: ['base', 'tool'],
  snapshot: ['base', 'tool', 'sessions'],
  browser: ['base', 'tool', 'sessions', 'snapshot'],
  devserver: ['base', 'tool', 'sessions'],
  mcp: ['base', 'tool', 'sessions', 'snapshot', 'browser', 'devserver'],
  cli: ['base', 'tool', 'sessions', 'snapshot', 'browser', 'devserver', 'mcp'],
}

/** Imports of a room into one that is not below it. */
export const roomExceptions: Rows = {}

/** Imports between features that close a circle. */
export const circleExceptions: Rows = {}

/** Folders that import each other. */
export const pairExceptions: readonly string[] = []

/** The files that are not pure, by folder; `*` stands for all. */
export const effects: Readonly<Record<string, string>> = {
  'core/base/files':
    'folder-watches hash-content kept-files open-document output-folder read-folder read-regular-file read-stats remove-folder retain-files session-files temporary-folder workspace-roots',
  'core/base/system': 'expiry-timer is-running json-lines proc-files race-deadline settle-within timer',
  'core/browser/actions': '*',
  'core/browser/checks': '*',
  'core/browser/console': '*',
  'core/browser/content': '*',
  'core/browser/in-page/actions':
    'actionability clipboard combobox-widget drag-watch editor-model form-fields hit-target-interceptor hydration-state option-list slider-state',
  'core/browser/in-page/page': 'draw-image quiet-time throttle-console',
  'core/browser/in-page/snapshot': 'change-watch leaving poll-checks',
  'core/browser/network':
    'download-activity http-cache network-requests request-activity request-entries request-initiators save-downloads transfer-limit websockets',
  'core/browser/page': 'exit-watch news-reader page-parts perform run-on-tab session-page session-tabs',
  'core/browser/playwright':
    'awaited-downloads browser-processes browser-source cdp-session context-internals engine errors frame-geometry internals kept-functions locator own-timers picture-queue run-script session-refs',
  'core/browser/process':
    'browser-pool find-executable install-command kit-folders launch-browser launch-options open-context pool-options sandbox shared-browsers start-browser throttle-workers',
  'core/browser/screenshot': '*',
  'core/browser/snapshot': '*',
  'core/browser/tab': '*',
  'core/browser/tools': '*',
  'core/cli': '*',
  'core/cli/commands': 'build-info commands core-commands help parse-settings show-help',
  'core/cli/options': 'flags option-conflicts option-schemas options settings',
  'core/cli/serve': '*',
  'core/cli/terminal': 'output progress start-command',
  'core/cli/tools': '*',
  'core/devserver/logs': '*',
  'core/devserver/process':
    'allowed-programs child-process detached-script end-group free-port inherited-mark orphans port-holder process-activity process-table process-tree program-files run-git run-header-command server-variables spawn-command supervisor used-ports watchdog',
  'core/devserver/start':
    'contract-server describe-problems dev-servers direct-server find-address http-probe launched-server missing-packages playwright-readiness run-command start-failures taken-port wait-until-ready',
  'core/devserver/tools': '*',
  'core/mcp': '*',
  'core/mcp/answers': 'failure-form format-result',
  'core/mcp/calls': 'era mcp-app parse-input run-tool serve-tools suspended-calls tool-schema',
  'core/sessions':
    'memory-limit open-session session-manager session-redactor session-registry session-server',
  'core/sessions/call':
    'describe-changes host-permission page-news perform-action run-call stop-failures take-new-entries',
  'core/sessions/tools': '*',
  'core/snapshot/tools': '*',
  'core/tool': 'command define-tool describe-fields describe-issue fields file-fields pattern target tool',
  'features/attach':
    'attach-browser attached-browsers feature relay-process run-relay running-browsers target-relay',
  'features/audit': 'audit-page audit-scripts feature tool',
  'features/audit/in-page': 'audit-state layout-issues read-vitals run-axe',
  'features/baseline': 'compare-screenshot feature picture-difference png-rows tool',
  'features/browsers':
    'browser-listing browser-version browsers-command command feature install-build kit-manifest pack-kit shared-libraries staging-folder unpack-kit',
  'features/call': '*',
  'features/compare': '*',
  'features/compare/flow':
    'backend capture compare-versions find-causes flow redact-comparison sides walk write-comparison',
  'features/compare/revisions': 'check-out git-revisions share-packages',
  'features/doctor': '*',
  'features/emulate': 'feature page-defaults session-emulation tool',
  'features/evidence': 'failure-evidence failure-view feature page-view server-code-frame',
  'features/extension': 'feature load-extension read-extension session-extension',
  'features/freshness':
    'feature file-entry file-index list-files read-freshness read-records server-code session-freshness tool wait-for-build',
  'features/host-rules':
    'allowed-domains feature dial egress-proxies host-policy inspect-origin open-egress-proxy refusing-proxy',
  'features/http':
    'authentication connections event-store feature http-options http-server serve-http settings stateless-requests',
  'features/lib': 'job-start request-body state-folder',
  'features/lib/calls': 'read-field save-images',
  'features/lib/changes': 'find-base list-changes read-changes',
  'features/lib/in-page': 'watch-actions',
  'features/lib/pull-request': 'add-post-line cli-version git-folder git-remote',
  'features/lib/recording': 'event-queue notice-actions recorded-element',
  'features/lib/replay': 'replay-step resolve-elements run-check',
  'features/lib/screencast': '*',
  'features/lib/socket': 'socket-folder',
  'features/lib/test-files': 'find-config test-variables',
  'features/login': 'commands feature login-command login-window',
  'features/mock': 'feature har-file init-script mock-list mock-routes mock-sockets session-mocks tool',
  'features/mock/in-page': 'mock-in-page',
  'features/pace': 'feature pace-messages',
  'features/page-tools': 'feature page-tools tool',
  'features/page-tools/in-page': 'offered-tools',
  'features/recording': 'feature record-action recorded-page',
  'features/remote':
    'cdp-address cdp-connection created-source endpoint-source feature grid grid-source http-call playwright-connection release-remote remote-browsers remote-connection settings spread-sessions watch-connection',
  'features/report': 'feature git-revision report-index report-notes session-report tool write-report',
  'features/run-test':
    'complete-projects create-tests feature find-project foreign-servers format-file observe-run read-trace-file run-playwright run-tests run-watch start-runner start-test-run tool',
  'features/run-test/in-playwright': '*',
  'features/save-test': '*',
  'features/save-test/plan':
    'observe-page plan-server plan-test project-facts prove-steps save-steps test-files',
  'features/setup':
    'client-file clients commands feature hook-format json-edits json-format setup-command skill-file toml-format',
  'features/shell':
    'calling-agent commands daemon-command feature format-answer last-ending named-environment parse-shell-command private-socket read-words run-client run-shell-command serve-shell start-server verbs',
  'features/sources':
    'bundled-files describe-action element-origin feature locate-element locate-sources map-cache noted-modules parse-map place-source script-maps session-sources source-files tool',
  'features/sources/in-page': 'read-origin',
  'features/states': '*',
  'features/states/in-page': 'database-size',
  'features/touch': '*',
  'features/trace': '*',
  'features/verify':
    'feature locate-errors server-errors observe-servers observe-tests run-notes run-verify session-coverage status-tool tool verify-service coverage-reader lone-verify own-origins write-verdict',
  'features/verify/blank': 'blank-search name-places read-page watch-blank',
  'features/verify/blank/in-page': 'page-content',
  'features/verify/change':
    'beginnings changed-paths path-in-tree read-base-texts read-change read-line-differences read-paths',
  'features/verify/flows': 'find-tests find-touched guard-session line-changes read-reports run-flows',
  'features/verify/ledger': 'ledger-file ledger-key read-ledgers',
  'features/verify/page':
    'page-reading received-files script-texts style-lines style-rules style-usage targets wanted-sources wanted-styles',
  'features/verify/coverage':
    'build-region counted-script functions-in known-names parse-script place-code read-line-runs',
  'features/verify/node': '*',
  'features/verify/claims': 'judge-claims',
  'features/verify/source': 'parse-code',
  'features/verify/verdict': 'judge-alone',
  'features/verify/stop-hook': 'judge-stop run-stop-hook',
  'features/video':
    'encoding-page feature frame-writer masked-picture record-video session-inputs session-video tool webm',
  'features/video/in-page': 'draw-frame encode-video',
  'features/view':
    'element-at-point feature frames handover notice-person other-servers person-input pin-places record-person serve-view session-pins session-views tool view-app view-calls view-command view-page view-starter viewed-entries viewed-page',
  'features/view/in-page':
    'comment-form element-keys host-calls person-input pin-list pointing server-calls session-stage start-view timeline',
}

/** What writes files, with the reason. All but the first writes nothing at a fixed name below the output folder. */
export const writers: Readonly<Record<string, string>> = {
  'core/base/files/kept-files.ts': 'it is the one writer',
  'core/base/files/temporary-folder.ts': 'the socket in the temporary folder of a run',
  'core/browser/network/save-downloads.ts': 'bytes of a download, at a path that was reserved',
  'core/devserver/logs/log-folder.ts': 'the output of servers, in the temporary folder of a run',
  'core/devserver/logs/redacted-logs.ts': 'the same, redacted',
  'features/attach/run-relay.ts': 'the tabs of a relay, in the folder of the user',
  'features/browsers': 'browsers that are installed on request',
  'features/call/demo-project.ts': 'the project of the demo, in a temporary folder',
  'features/extension/load-extension.ts': 'the preferences of a profile, in a temporary folder',
  'features/run-test': 'the scripts, events and pictures of a run of tests, in its temporary folder',
  'features/setup/client-file.ts': 'files of clients, on request',
  'features/shell/last-ending.ts': 'why sessions have ended, in the private folder of the user',
  'features/shell/private-socket.ts': 'a socket, in the private folder of the user',
  'features/shell/run-client.ts': 'answers, on stdout',
  'features/states/named-states.ts': 'the holder of a lock, in the folder of the user',
  'features/trace/tracing.ts': 'a trace that has ended by itself, at a path that was reserved',
  'features/verify/node/server-processes.ts': 'a script for the processes of a server, in a temporary folder',
  'features/verify/stop-hook/run-stop-hook.ts': 'the answer of the hook, on stdout',
}
