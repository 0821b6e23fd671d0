import type { LostAnswer } from './lost-answer.ts'
import { code, page, table } from './table.ts'

const about = `Whatever may have happened is unknown; only what is proven not to have happened, and no longer can, is
given back (decision 0081). This is each write and each call of the service, the facilitator and the gateway: what is so
when its answer is lost, and who finds out. A test computes the names from the code and fails when one has no row.`

/** Each write and call, what a lost answer means, and the test that loses it. */
export function lostAnswersPage(rows: readonly LostAnswer[]): string {
  return page(
    'Lost answers',
    'tools/reference/lost-answers.ts',
    about,
    table(
      ['What', 'A lost answer means', 'Who finds out, and by what', 'Lost by', 'Tables, ports, files'],
      rows.map(({ what, means, ends, tests, names }) => [
        what,
        means,
        ends,
        tests.length === 0 ? 'no test yet' : tests.map(nameOf).join(', '),
        names.map(code).join(', '),
      ]),
    ),
  )
}

function nameOf(file: string): string {
  return code(file === 'simulation/src/main.ts' ? 'npm run simulate' : (file.split('/').at(-1) ?? file))
}
