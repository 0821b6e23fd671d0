import { addressKey } from '@ergon/protocols'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorAnswer } from '../dispatch/error-body.ts'
import { createCrowdLimiter } from '../dispatch/crowd-limiter.ts'
import { demand } from '../dispatch/limits.ts'
import { isRefusal } from '../dispatch/refusal.ts'
import { frame } from './oauth/consent-page.ts'
import { html } from './oauth/html.ts'
import { bodyLimit, queryOf, tongueFor } from './oauth/oauth-desk.ts'
import { sendPage } from './oauth/page-answer.ts'
import type { Tongue } from './oauth/page-words.ts'
import type { RequestLine } from './rest.ts'

type Act = 'confirm' | 'stop'
export type MailPages = {
  /** Each takes the token of a link; false when it leads to nothing, or to nothing any more. */
  readonly acts: Readonly<Record<Act, (token: string) => Promise<boolean>>>
  /** Where the service is reached. */
  readonly config: { readonly baseUrl: string }
  readonly now: () => Date
  readonly onRequest: (line: RequestLine) => void
  readonly onFault: (fault: unknown, requestId: string) => void
}

const actsPerMinute = { ofAddress: 60, inAll: 3_000 } as const

/**
 * What the links of mails open. Programs that look through mail follow links, so opening a page changes nothing: its
 * button does, and so does the post of a mailbox that was told to stop (RFC 8058 §3.2).
 */
export function addMailPages(server: FastifyInstance, pages: MailPages): void {
  const limits = createCrowdLimiter(actsPerMinute, { windowMs: 60_000, kept: 0 })
  const isSecure = pages.config.baseUrl.startsWith('https:')
  for (const act of ['confirm', 'stop'] as const) {
    const path = `/api/v1/mail/${act}`
    server.get(path, (request, reply) =>
      answered(pages, act, request, reply, async (tongue) => sendPage(reply, isSecure, 200, askPage(tongue, act))),
    )
    server.post(path, { bodyLimit }, (request, reply) =>
      answered(pages, act, request, reply, async (tongue) => {
        const at = pages.now().getTime()
        demand(limits.take(addressKey(request.ip), at), at)
        const isDone = await pages.acts[act](tokenOf(request))
        // To stop what is stopped is no mistake: a mailbox may post twice.
        const isGood = isDone || act === 'stop'
        return sendPage(reply, isSecure, isGood ? 200 : 404, endPage(tongue, isGood ? act : 'gone'))
      }),
    )
  }
}

function tokenOf(request: FastifyRequest): string {
  const given = new URLSearchParams(queryOf(request)).getAll('token')
  return given.length === 1 ? (given[0] ?? '') : ''
}

async function answered(
  pages: MailPages,
  act: Act,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (tongue: Tongue) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const startedAt = performance.now()
  reply.header('x-request-id', request.id)
  const tongue = tongueFor(request)
  try {
    await answer(tongue)
  } catch (thrown) {
    if (!isRefusal(thrown)) pages.onFault(thrown, request.id)
    const { status, headers } = errorAnswer(thrown, request.id)
    if (!reply.sent)
      await sendPage(reply.headers(headers), pages.config.baseUrl.startsWith('https:'), status, endPage(tongue, 'busy'))
  } finally {
    pages.onRequest({
      id: request.id,
      op: `mail.${act}`,
      method: request.method,
      // The query is left out: whoever reads the log could use the link.
      path: `/api/v1/mail/${act}`,
      status: reply.statusCode,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
    })
  }
  return reply
}

/** The form posts to the address of the page, so the token goes with it. */
function askPage(tongue: Tongue, act: Act): string {
  const { title, text, button } = words[tongue][act]
  return frame(
    tongue,
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>
      <form method="post">
        <div class="actions"><button type="submit">${button}</button></div>
      </form>`,
  )
}

function endPage(tongue: Tongue, end: Act | 'gone' | 'busy'): string {
  const [title, text] = words[tongue].ends[end]
  return frame(
    tongue,
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>`,
  )
}

const words = {
  en: {
    confirm: {
      title: 'Notices by mail',
      text: 'A wallet asked to have its notices mailed to this address. Confirm only if that was you.',
      button: 'Confirm the address',
    },
    stop: {
      title: 'Stop the mails',
      text: 'No more notices are mailed to this address, and it is forgotten.',
      button: 'Stop the mails',
    },
    ends: {
      confirm: ['The address is confirmed', 'Notices are mailed to it from now on.'],
      stop: ['The mails have stopped', 'The address is forgotten.'],
      gone: ['This link is over', 'It is older than a day, or the mails were stopped. Ask for a new one in the app.'],
      busy: ['Not now', 'Try again in a minute.'],
    },
  },
  es: {
    confirm: {
      title: 'Avisos por correo',
      text: 'Una cartera pidió recibir sus avisos en esta dirección. Confírmalo solo si eras tú.',
      button: 'Confirmar la dirección',
    },
    stop: {
      title: 'No recibir más correos',
      text: 'No se enviarán más avisos a esta dirección y se borrará.',
      button: 'No recibir más correos',
    },
    ends: {
      confirm: ['La dirección está confirmada', 'Desde ahora se envían los avisos a ella.'],
      stop: ['Ya no se envían correos', 'La dirección se ha borrado.'],
      gone: ['Este enlace ya no vale', 'Tiene más de un día, o se pararon los correos. Pide otro en la aplicación.'],
      busy: ['Ahora no', 'Inténtalo de nuevo en un minuto.'],
    },
  },
} as const
