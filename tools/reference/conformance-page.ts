import type { ConformanceReport, Measured } from './conformance-report.ts'
import type { Suite } from './suites.ts'
import { page, table } from './table.ts'

const cells = (list: readonly string[]): string => (list.length === 0 ? '–' : list.join('; '))

/** Suite by suite: what judges the service, in which version, what its tests came to, and what is not green and why. */
export function conformancePage(
  suites: readonly Suite[],
  versions: Readonly<Record<string, string>>,
  report: ConformanceReport,
): string {
  return page(
    'Conformance',
    'tools/reference/conformance.json',
    'What others say of this service: their suites, their clients and their published vectors. `npm run conformance` ' +
      'runs them and writes the report that this page is printed from. `.ci/run` runs all of them again, and fails ' +
      'where one comes to something else than is said here.',
    table(
      ['Suite', 'Version', 'What ran', 'Passed', 'What the suite says'],
      suites.map(({ name, packages, ran, tests }) => {
        const measured = of(report, tests)
        return [
          name,
          cells(packages.map((one) => `\`${one}\` ${versions[one] ?? ''}`)),
          ran,
          `${String(measured.reduce((sum, { passed }) => sum + passed, 0))} tests`,
          cells([...new Set(measured.flatMap(({ told }) => told.map(({ said }) => said)))]),
        ]
      }),
    ),
    '## Not green',
    'What a run found red, or left out.',
    table(
      ['Suite', 'What', 'Why'],
      suites.flatMap(({ name, tests }) => of(report, tests).flatMap((one) => faultsOf(name, one))),
    ),
    '## Not looked at',
    'What no run can tell: where a suite is helped, or cannot look. A test holds each to what it is about.',
    table(
      ['Suite', 'What', 'Why'],
      suites.flatMap(({ name, notSeen }) => notSeen.map(({ what, why }) => [name, what, why])),
    ),
    '## Which tests',
    table(
      ['Tests', 'Passed', 'Of the text'],
      Object.entries(report).map(([file, { passed, text }]) => [`\`${file}\``, String(passed), `\`${text}\``]),
    ),
  )
}

function of(report: ConformanceReport, tests: readonly string[]): readonly Measured[] {
  return tests.flatMap((file) => report[file] ?? [])
}

function faultsOf(suite: string, { faults, left, told }: Measured): readonly (readonly string[])[] {
  return [
    ...faults.map(({ name, reason }) => [suite, name, reason]),
    ...left.map((name) => [suite, name, 'left out on the machine that measured']),
    ...told.flatMap(({ notGreen }) => notGreen.map(({ name, reason }) => [suite, name, reason])),
  ]
}
