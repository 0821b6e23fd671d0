import { OAuthError } from './oauth-error.ts'

/** Where the parts of a deployment are found; URLs without a slash at their end. */
export type Places = {
  /** The authorization server, which is where its metadata is fetched. */
  readonly issuer: string
  /** The host of the tools; the tool endpoint is `/mcp` below it. */
  readonly toolHost: string
}

/** The one audience of every token: the tool endpoint without a slash at its end. */
export function audienceOf({ toolHost }: Places): string {
  return `${toolHost}/mcp`
}

/**
 * The audience for what a client asked (RFC 8707): the tool endpoint or its host, with or without a slash at the end,
 * and the tool endpoint when it asked for none. @throws OAuthError invalid_target
 */
export function readResource(asked: string | undefined, places: Places): string {
  const audience = audienceOf(places)
  const known = [audience, `${audience}/`, places.toolHost, `${places.toolHost}/`]
  if (asked !== undefined && !known.includes(asked))
    throw new OAuthError('invalid_target', `the resource here is ${audience}`)
  return audience
}
