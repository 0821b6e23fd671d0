import { createClient, type Client } from '@ergon/sdk'
import type { privateKeySigner } from '@ergon/protocols'

/** What a page of the service can do: a cookie that the browser keeps, and no signature on requests. */
export async function signInAsPerson(serverUrl: string, signer: ReturnType<typeof privateKeySigner>): Promise<Client> {
  const jar = createJar(serverUrl)
  const person = createClient({ baseUrl: serverUrl, fetch: jar })
  const { message } = await person.auth.sessionChallenge({ wallet: signer.address })
  await person.auth.openSession({ message, signature: await signer.signMessage(message) })
  return person
}

/** A fetch that names its origin and keeps the one cookie, as a browser does. */
function createJar(serverUrl: string): typeof fetch {
  const origin = new URL(serverUrl).origin
  let cookie: string | undefined
  return async (target, init) => {
    const headers = new Headers(init?.headers)
    headers.set('origin', origin)
    if (cookie !== undefined) headers.set('cookie', cookie)
    const answer = await fetch(target, { ...init, headers })
    cookie = answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? cookie
    return answer
  }
}
