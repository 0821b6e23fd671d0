import { hashTypedData, sameAddress, type TypedData } from '@ergon/protocols'

/**
 * The service asked for a signature over something else than what was agreed. Nothing was signed and nothing sent:
 * a challenge comes from another party, and the wallet is ours.
 */
export class ChallengeMismatch extends Error {
  /** Which term differs. */
  readonly term: string
  readonly agreed: string
  readonly asked: string

  constructor(term: string, agreed: unknown, asked: unknown) {
    super(`the challenge asks for another ${term}: ${String(asked)} instead of ${String(agreed)}`)
    this.name = 'ChallengeMismatch'
    this.term = term
    this.agreed = String(agreed)
    this.asked = String(asked)
  }
}

/**
 * Reads a challenge and holds it against what was agreed, before anything is signed. What another version of the
 * service hands out may lack what is read here: that is no fault of the caller's, and said in words.
 */
export function understood<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof TypeError)
      throw new ChallengeMismatch('form', 'the one that this version of the client reads', 'one of another version')
    throw error
  }
}

/** Holds two values against each other; addresses may differ in case. */
export function requireSame(term: string, agreed: string | number | bigint, asked: unknown): void {
  const same =
    typeof agreed === 'string' && typeof asked === 'string'
      ? agreed.toLowerCase() === asked.toLowerCase()
      : agreed === asked
  if (!same) throw new ChallengeMismatch(term, agreed, asked)
}

/** Holds two addresses against each other; what is no address never matches. */
export function requireAddress(term: string, agreed: string, asked: unknown): void {
  if (typeof asked !== 'string' || !sameAddress(agreed, asked)) throw new ChallengeMismatch(term, agreed, asked)
}

/** Holds the document that was handed out against the one built from agreed terms, by what would be signed. */
export function requireSameDocument(own: TypedData, asked: unknown): void {
  if (fingerprint(own) !== fingerprint(asked))
    throw new ChallengeMismatch('document', own.primaryType, 'a document with other contents')
}

function fingerprint(document: unknown): string {
  try {
    // A foreign shape ends in a throw of the hash, which is a mismatch.
    return hashTypedData(document as TypedData).join()
  } catch {
    return 'none'
  }
}
