import { createHmac, timingSafeEqual } from 'node:crypto'
import type { NoticeLanguage } from '@ergon/core'

type LinkAct = 'confirm' | 'stop'
export type MailLinks = {
  /** What a mail links to. */
  urlOf(act: LinkAct, id: string, language: NoticeLanguage): string
  /** The subscription that a token is for; null when it was not made here, or for another act. */
  idOf(act: LinkAct, token: string): string | null
}

/** Tokens follow from a secret of the deployment, so nothing is kept of which a link could be made. */
export function createMailLinks(key: Uint8Array, baseUrl: string): MailLinks {
  const proofOf = (act: LinkAct, id: string) => createHmac('sha256', key).update(`${act} ${id}`).digest('base64url')
  return {
    urlOf: (act, id, language) => `${baseUrl}/api/v1/mail/${act}?token=${id}.${proofOf(act, id)}&lang=${language}`,
    idOf(act, token) {
      const [, id = '', proof = ''] = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
      // Texts, not bytes: four texts of 43 characters decode to the same 32 bytes, and one of them is ours.
      return proof !== '' && timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(act, id))) ? id : null
    },
  }
}
