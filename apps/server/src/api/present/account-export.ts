import type { AccountExport } from '@ergon/core'

/** The file as it is written, a page of rows at a time: nothing waits for the whole of it. */
export async function* presentAccountExport({
  executorId,
  exportedAt,
  profile,
  sections,
}: AccountExport): AsyncGenerator<string> {
  yield `{"exported_at":${JSON.stringify(exportedAt.toISOString())},"executor_id":${JSON.stringify(executorId)},"profile":${profile ?? 'null'}`
  for (const { name, pages } of sections) {
    yield `,${JSON.stringify(name)}:[`
    let isFirst = true
    for await (const rows of pages) {
      yield `${isFirst ? '' : ','}${rows.join(',')}`
      isFirst = false
    }
    yield ']'
  }
  yield '}\n'
}
