import type { OperationName } from '@ergon/contract'
import { wireOperations } from '@ergon/contract/wire'
import type { CallOptions, Input, OperationsClient, Output } from './client.ts'

/** The operations that answer a list in pages. */
export type PagedName = {
  [N in OperationName]: Input<N> extends { readonly cursor?: string | undefined }
    ? Output<N> extends { readonly next_cursor: string | null; readonly has_more: boolean }
      ? N
      : never
    : never
}[OperationName]

/**
 * The pages of a list, one after the other, each fetched when it is asked for.
 *
 * @example
 * for await (const { tasks } of client.pages('tasks.list', { category: 'research' })) show(tasks)
 */
export async function* pages<N extends PagedName>(
  client: Pick<OperationsClient, 'transport' | 'sending'>,
  name: N,
  input?: Input<N>,
  options?: CallOptions,
): AsyncGenerator<Output<N>, void, undefined> {
  const seen = new Set<string>()
  let cursor: string | undefined
  for (;;) {
    const { data } = await client.transport.send(
      wireOperations[name],
      { ...input, ...(cursor === undefined ? {} : { cursor }) },
      client.sending(name, options),
    )
    // The name of the operation says what its answer is.
    const page = data as Output<N> & { readonly next_cursor: string | null; readonly has_more: boolean }
    yield page
    // A place that comes round again would never end.
    if (!page.has_more || page.next_cursor === null || seen.has(page.next_cursor)) return
    cursor = page.next_cursor
    seen.add(cursor)
  }
}
