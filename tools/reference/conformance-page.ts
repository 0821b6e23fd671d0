import type { Suite } from './suites.ts'
import { page, table } from './table.ts'

/** Suite by suite: what judges the service, in which version, by which tests, and what is not green with the reason. */
export function conformancePage(suites: readonly Suite[], versions: Readonly<Record<string, string>>): string {
  const cells = (list: readonly string[]): string => (list.length === 0 ? '–' : list.join('; '))
  const remarks = suites.flatMap(({ name, notGreen }) => notGreen.map(({ what, why }) => [name, what, why]))
  return page(
    'Conformance',
    'tools/reference/suites.ts',
    'What others say of this service: their suites, their clients and their published vectors, run by the tests named ' +
      'here. `.ci/run` runs all of them; what a suite does not find green, or does not see, is below with its reason.',
    table(
      ['Suite', 'Version', 'What ran', 'Tests'],
      suites.map(({ name, packages, ran, tests }) => [
        name,
        cells(packages.map((one) => `\`${one}\` ${versions[one] ?? ''}`)),
        ran,
        cells(tests.map((file) => `\`${file}\``)),
      ]),
    ),
    '## Not green',
    table(['Suite', 'What', 'Why'], remarks),
  )
}
