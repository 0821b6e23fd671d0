import { meteredScenarios } from './scenarios-metered.ts'
import { publishingScenarios } from './scenarios-publishing.ts'
import { workingScenarios } from './scenarios-working.ts'
import type { Scenario } from './scenario.ts'

/** Every call that is played over every transport. */
export const scenarios: readonly Scenario[] = [...publishingScenarios, ...workingScenarios, ...meteredScenarios]
