import { tamed } from '@ergon/contract/facts'

/** What a link to a page shows where people share it (the Open Graph protocol). */
export type SocialCard = {
  readonly title: string
  readonly description: string
  readonly url: string
  readonly imageUrl: string
}

/** A picture of the app's own, 1,200 by 630. */
export const cardImage = '/icons/card.png'

const previewers =
  /\b(?:facebookexternalhit|facebot|twitterbot|linkedinbot|slackbot|discordbot|telegrambot|whatsapp|pinterestbot|redditbot|mastodon|bluesky|signal|skypeuripreview|embedly|iframely)\b/i

/** Whether a request comes from a program that draws previews of links; those run no script. */
export function drawsPreviews(userAgent: string | undefined): boolean {
  return userAgent !== undefined && userAgent.length <= 512 && previewers.test(userAgent)
}

const taskPath = /^\/tasks\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/?$/i

/** The task whose page a path is; null for every other. */
export function taskOfPath(path: string): string | null {
  return taskPath.exec(path)?.[1]?.toLowerCase() ?? null
}

const mostTitle = 120
const mostDescription = 240

/** The tags alone: the text of a task is foreign, so every mark of HTML in it is written as a reference. */
export function socialTags({ title, description, url, imageUrl }: SocialCard): string {
  const tags: readonly (readonly [string, string])[] = [
    ['og:type', 'website'],
    ['og:title', shortened(title, mostTitle)],
    ['og:description', shortened(description, mostDescription)],
    ['og:url', url],
    ['og:image', imageUrl],
    ['og:image:width', '1200'],
    ['og:image:height', '630'],
    ['twitter:card', 'summary_large_image'],
  ]
  return tags.map(([property, content]) => `<meta property="${property}" content="${escaped(content)}">`).join('')
}

/** A page of its own for a program that draws previews; a person who gets it by mistake finds the way on. */
export function socialPage(card: SocialCard): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(tamed(card.title))}</title>` +
    `${socialTags(card)}<link rel="canonical" href="${escaped(card.url)}"></head>` +
    `<body><p><a href="${escaped(card.url)}">${escaped(tamed(card.title))}</a></p></body></html>`
  )
}

function shortened(text: string, most: number): string {
  const line = tamed(text).replaceAll(/\s+/g, ' ').trim()
  const letters = [...line]
  return letters.length <= most ? line : `${letters.slice(0, most - 1).join('')}…`
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (mark) => references[mark] ?? mark)
}
