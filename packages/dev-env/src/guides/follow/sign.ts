import { createHash } from 'node:crypto'
import { hashMessage } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { PrintedRecipe } from './read-skill.ts'
import { filledLines } from './values.ts'

/** What is signed of a request, by the names of the recipe. */
export type Parts = {
  readonly method: string
  readonly url: string
  readonly body: string | undefined
  readonly chainId: string
  readonly created: number
  readonly nonce: string
}
export type SignedRequest = {
  readonly base: string
  readonly hash: string
  readonly headers: Readonly<Record<string, string>>
}

/** Signs a request as the printed recipe says: its templates name what is covered, this only fills them in. */
export async function signAsPrinted(
  recipe: PrintedRecipe,
  account: PrivateKeyAccount,
  { method, url, body, chainId, created, nonce }: Parts,
): Promise<SignedRequest> {
  const { host, pathname, search } = new URL(url)
  const values: Record<string, string | undefined> = {
    method,
    authority: host,
    path: pathname,
    query: search === '' ? undefined : search,
    content_digest: body === undefined ? undefined : `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
    chain_id: chainId,
    wallet: account.address.toLowerCase(),
    created: String(created),
    expires: String(created + 60),
    nonce,
    params: '',
  }
  const covered = filledLines(recipe.base, values).flatMap((line) => /^("[^"]+"): /.exec(line)?.[1] ?? [])
  values['components'] = covered.slice(0, -1).join(' ')
  values['params'] = filledLines(recipe.params, values).join('')
  const base = filledLines(recipe.base, values).join('\n')
  const signature = await account.signMessage({ message: base })
  values['signature'] = Buffer.from(signature.slice(2), 'hex').toString('base64')
  const headers = filledLines(recipe.headers, values).map((line) => {
    const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? []
    return [name, value] as const
  })
  return { base, hash: hashMessage(base), headers: Object.fromEntries(headers) }
}
