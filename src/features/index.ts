// All features, in the order in which their tools, commands and verbs are listed. Who takes one out deletes its folder and its line here.

import type { Feature } from '../core/tool/feature.ts'
import { attachFeature } from './attach/feature.ts'
import { auditFeature } from './audit/feature.ts'
import { baselineFeature } from './baseline/feature.ts'
import { browsersFeature } from './browsers/feature.ts'
import { callFeature } from './call/feature.ts'
import { compareFeature } from './compare/feature.ts'
import { doctorFeature } from './doctor/feature.ts'
import { emulateFeature } from './emulate/feature.ts'
import { evidenceFeature } from './evidence/feature.ts'
import { extensionFeature } from './extension/feature.ts'
import { freshnessFeature } from './freshness/feature.ts'
import { hostRulesFeature } from './host-rules/feature.ts'
import { httpFeature } from './http/feature.ts'
import { loginFeature } from './login/feature.ts'
import { mockFeature } from './mock/feature.ts'
import { paceFeature } from './pace/feature.ts'
import { pageToolsFeature } from './page-tools/feature.ts'
import { recordingFeature } from './recording/feature.ts'
import { remoteFeature } from './remote/feature.ts'
import { reportFeature } from './report/feature.ts'
import { runTestFeature } from './run-test/feature.ts'
import { saveTestFeature } from './save-test/feature.ts'
import { setupFeature } from './setup/feature.ts'
import { shellFeature } from './shell/feature.ts'
import { sourcesFeature } from './sources/feature.ts'
import { statesFeature } from './states/feature.ts'
import { touchFeature } from './touch/feature.ts'
import { traceFeature } from './trace/feature.ts'
import { verifyFeature } from './verify/feature.ts'
import { videoFeature } from './video/feature.ts'
import { viewFeature } from './view/feature.ts'

export const features: readonly Feature[] = [
  setupFeature,
  doctorFeature,
  browsersFeature,
  callFeature,
  shellFeature,
  viewFeature,
  loginFeature,
  evidenceFeature,
  reportFeature,
  runTestFeature,
  saveTestFeature,
  emulateFeature,
  recordingFeature,
  mockFeature,
  statesFeature,
  touchFeature,
  traceFeature,
  freshnessFeature,
  verifyFeature,
  compareFeature,
  videoFeature,
  auditFeature,
  pageToolsFeature,
  baselineFeature,
  sourcesFeature,
  hostRulesFeature,
  extensionFeature,
  attachFeature,
  remoteFeature,
  paceFeature,
  httpFeature,
]
