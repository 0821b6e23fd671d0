import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What takes more than a minute, longest first: begun last, it would run on alone. A fresh checkout knows no durations,
 * and the size of a file says nothing of its time.
 */
export const longest = [
  'apps/web/test/accessible.long.test.ts',
  'apps/server/test/aged/aged.long.test.ts',
  'apps/server/test/market/simulation.long.test.ts',
  'packages/dev-env/src/demo/demo.long.test.ts',
  'apps/server/test/market/keyed-stops.long.test.ts',
  'packages/cli/test/live.long.test.ts',
  'apps/web/test/deep-links.long.test.ts',
  'packages/dev-env/src/storm/exactly-once.long.test.ts',
  'packages/cli/test/bridge.long.test.ts',
  'apps/server/test/money/escrow-machine.long.test.ts',
  'packages/cli/test/guide.long.test.ts',
  'apps/server/test/lines/silence.long.test.ts',
  'apps/server/test/lines/settings-proof.long.test.ts',
  'apps/server/test/sdk/package.long.test.ts',
  'apps/server/test/sdk/runtimes.long.test.ts',
  'apps/web/test/offline-job.long.test.ts',
  'apps/server/test/sdk/packages.long.test.ts',
  'apps/web/test/lighthouse.long.test.ts',
  'apps/server/test/lines/lost-commit.long.test.ts',
  'apps/web/test/disputes.long.test.ts',
]

/** The order of vitest, project by project, and in each the files that are known to take long before all others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return [...byProject.values()].flatMap((own) =>
      own.toSorted((one, other) => placeOf(one.moduleId) - placeOf(other.moduleId)),
    )
  }
}

function placeOf(path: string): number {
  const place = longest.findIndex((one) => path.endsWith(one))
  return place < 0 ? longest.length : place
}
