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

/** Imports of the core into features. Those of `cli` are not counted. */
export const featureExceptions: Rows = {
  'core/browser/page/page-parts.ts': [
    'emulate/session-emulation.ts',
    'evidence/failure-view.ts',
    'mock/session-mocks.ts',
  ],
  'core/browser/page/page-reads.ts': [
    'audit/audit-page.ts',
    'audit/in-page/generated.ts',
    'baseline/compare-screenshot.ts',
    'page-tools/page-tools.ts',
    'sources/element-origin.ts',
  ],
  'core/browser/page/perform.ts': [
    'page-tools/page-tools.ts',
    'states/origin-storage.ts',
    'states/passkeys.ts',
  ],
  'core/browser/page/session-page.ts': [
    'evidence/failure-view.ts',
    'lib/recording/recorded-element.ts',
    'states/origin-storage.ts',
    'states/passkeys.ts',
    'states/stored-state.ts',
    'video/record-video.ts',
    'view/element-at-point.ts',
    'view/frames.ts',
    'view/notice-person.ts',
    'view/person-input.ts',
  ],
  'core/browser/process/browser-pool.ts': [
    'extension/load-extension.ts',
    'remote/remote-limits.ts',
    'remote/spread-sessions.ts',
  ],
  'core/browser/process/launch-options.ts': ['extension/load-extension.ts'],
  'core/browser/process/open-context.ts': ['states/stored-state.ts'],
  'core/browser/process/start-browser.ts': ['extension/load-extension.ts'],
  'core/browser/tools/content.ts': ['sources/element-source.ts'],
  'core/devserver/start/direct-server.ts': [
    'freshness/file-index.ts',
    'freshness/list-files.ts',
    'freshness/server-code.ts',
  ],
  'core/devserver/tools/server.ts': ['freshness/describe-freshness.ts'],
  'core/mcp/calls/era.ts': ['view/mcp-app.ts'],
  'core/mcp/calls/serve-tools.ts': ['view/mcp-app.ts'],
  'core/mcp/mcp-server.ts': ['view/mcp-app.ts'],
  'core/sessions/call/describe-changes.ts': [
    'freshness/build-lines.ts',
    'freshness/describe-freshness.ts',
    'sources/element-source.ts',
    'sources/source-files.ts',
  ],
  'core/sessions/call/run-call.ts': ['report/report-notes.ts'],
  'core/sessions/open-session.ts': [
    'audit/audit-history.ts',
    'evidence/page-view.ts',
    'freshness/read-freshness.ts',
    'lib/recording/recording.ts',
    'mock/mock-list.ts',
    'report/report-notes.ts',
    'report/write-report.ts',
    'sources/locate-sources.ts',
    'video/session-video.ts',
    'view/session-control.ts',
  ],
  'core/sessions/session-manager.ts': [
    'attach/attach-conflict.ts',
    'evidence/failure-evidence.ts',
    'report/report-notes.ts',
    'view/handover.ts',
    'view/session-views.ts',
  ],
  'core/sessions/tools/session.ts': ['attach/attach-conflict.ts', 'extension/read-extension.ts'],
  'core/snapshot/tools/snapshot.ts': ['page-tools/page-tool.ts'],
  'core/snapshot/tools/wait-for.ts': ['freshness/describe-freshness.ts'],
}

/** Imports between features that close a circle. */
export const circleExceptions: Rows = {}

/** Folders that import each other. */
export const pairExceptions: readonly string[] = ['core/cli/serve features/shell']

/** The files that are not pure, by folder; `*` stands for all. */
export const effects: Readonly<Record<string, string>> = {
  'core/base/files':
    'folder-watches hash-content open-document output-folder read-regular-file remove-folder session-files temporary-folder workspace-roots',
  'core/base/system': 'expiry-timer proc-files race-deadline settle-within timer',
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
  'core/browser/page': 'exit-watch news-reader page-parts page-reads perform session-page session-tabs',
  'core/browser/playwright':
    'awaited-downloads browser-processes browser-source cdp-session context-internals engine errors frame-geometry internals locator own-timers picture-queue run-script session-refs',
  'core/browser/process':
    'browser-pool find-executable install-command kit-folders launch-browser launch-options open-context sandbox shared-browsers start-browser throttle-workers',
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
  'core/mcp/calls': 'era parse-input run-tool serve-tools suspended-calls tool-schema',
  'core/sessions':
    'memory-limit open-session session-manager session-redactor session-registry session-server',
  'core/sessions/call':
    'describe-changes host-permission page-news perform-action run-call stop-failures take-new-entries',
  'core/sessions/tools': '*',
  'core/snapshot/tools': '*',
  'core/tool': 'command define-tool describe-issue fields file-fields pattern target tool',
  'features/attach': 'feature relay-process run-relay target-relay',
  'features/audit': 'audit-page audit-scripts feature tool',
  'features/audit/in-page': 'audit-state layout-issues read-vitals run-axe',
  'features/baseline': 'compare-screenshot feature picture-difference',
  'features/browsers':
    'browser-listing browser-version browsers-command command feature install-build kit-manifest pack-kit shared-libraries staging-folder unpack-kit',
  'features/call': '*',
  'features/compare': '*',
  'features/compare/flow':
    'backend capture compare-versions find-causes flow redact-comparison sides walk write-comparison',
  'features/compare/revisions': 'check-out git-revisions read-changes share-packages',
  'features/doctor': '*',
  'features/emulate': 'feature page-defaults session-emulation tool',
  'features/evidence': 'failure-evidence failure-view page-view server-code-frame',
  'features/extension': 'load-extension read-extension',
  'features/freshness': 'compare-contents file-entry file-index list-files read-freshness server-code',
  'features/host-rules': 'dial egress-proxies host-policy inspect-origin open-egress-proxy refusing-proxy',
  'features/http': 'authentication connections event-store http-options http-server stateless-requests',
  'features/lib': 'request-body',
  'features/lib/calls': 'read-field save-images',
  'features/lib/in-page': 'watch-actions watch-inputs',
  'features/lib/recording': 'event-queue notice-actions recorded-element',
  'features/lib/replay': 'replay-step resolve-elements run-check',
  'features/lib/screencast': '*',
  'features/lib/socket': 'socket-folder',
  'features/lib/test-files': 'find-config test-variables',
  'features/mock': 'feature har-file mock-routes mock-sockets session-mocks tool',
  'features/mock/in-page': 'mock-in-page',
  'features/pace': 'feature pace-messages',
  'features/page-tools': 'feature page-tools tool',
  'features/page-tools/in-page': 'offered-tools',
  'features/record':
    'commands feature login-command login-window record-command recording-window uploaded-files',
  'features/remote':
    'cdp-address cdp-connection created-source endpoint-source feature grid grid-source http-call playwright-connection release-remote remote-browsers remote-connection spread-sessions watch-connection',
  'features/report': 'feature git-revision report-index report-notes tool write-report',
  'features/run-test':
    'create-tests feature find-project foreign-servers format-file read-trace-file run-playwright run-tests run-watch start-test-run tool',
  'features/run-test/in-playwright': '*',
  'features/save-test': '*',
  'features/save-test/plan':
    'observe-page plan-server plan-test project-facts prove-steps save-steps test-files',
  'features/setup': 'client-file clients commands feature json-format setup-command skill-file toml-format',
  'features/shell':
    'calling-agent commands daemon-command feature format-answer named-environment parse-shell-command private-socket read-words run-client run-shell-command serve-shell start-server verbs',
  'features/sources':
    'bundled-files element-origin feature locate-element locate-sources map-cache noted-modules parse-map place-source script-maps source-files',
  'features/sources/in-page': 'read-origin',
  'features/states': '*',
  'features/states/in-page': 'database-size',
  'features/touch': '*',
  'features/trace': '*',
  'features/verify/node': '*',
  'features/video':
    'encoding-page feature frame-writer masked-picture record-video session-inputs session-video tool webm',
  'features/video/in-page': 'draw-frame encode-video',
  'features/view':
    'element-at-point feature frames handover mcp-app notice-person other-servers person-input record-person serve-view session-control session-views tool view-app view-calls view-command view-page view-starter',
  'features/view/in-page': 'host-calls person-input pointing server-calls session-stage start-view timeline',
}

/** The features without which the core, or one that does not name them, is not whole. */
export const boundFeatures: readonly string[] = [
  'attach',
  'audit',
  'baseline',
  'emulate',
  'evidence',
  'extension',
  'freshness',
  'host-rules',
  'http',
  'mock',
  'page-tools',
  'remote',
  'report',
  'shell',
  'sources',
  'states',
  'video',
  'view',
]
