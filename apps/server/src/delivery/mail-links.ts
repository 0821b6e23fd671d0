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
  const proofOf = (act: LinkAct, id: string): Buffer => createHmac('sha256', key).update(`${act} ${id}`).digest()
  return {
    urlOf: (act, id, language) =>
      `${baseUrl}/api/v1/mail/${act}?token=${id}.${proofOf(act, id).toString('base64url')}&lang=${language}`,
    idOf(act, token) {
      const [, id = '', proof = ''] = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
      const given = Buffer.from(proof, 'base64url')
      return given.length === 32 && timingSafeEqual(given, proofOf(act, id)) ? id : null
    },
  }
}
