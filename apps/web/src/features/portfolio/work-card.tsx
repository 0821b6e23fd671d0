import type { ReactNode } from 'react'
import type { Output } from '@ergon/sdk'
import { sceneOf } from '../../art/scene-of.ts'
import { SceneBanner } from '../../components/scene.tsx'
import { StarRow } from '../../components/star-row.tsx'
import { useMessages, useSpeech } from '../../lib/i18n.tsx'
import { wordMessages } from '../../messages/words.ts'
import { portfolioMessages } from './messages.ts'

export type Work = Pick<
  Output<'portfolio.list'>['works'][number],
  'title' | 'category' | 'month' | 'score' | 'pictures'
>

/** A piece of work as everybody sees it on a profile; without a picture, the art of its kind takes its place. */
export function WorkCard({ work, as: Element = 'article' }: { readonly work: Work; readonly as?: 'article' | 'li' }) {
  const word = useMessages(wordMessages)
  return (
    <Element className="card grid content-start gap-0 overflow-hidden p-0">
      <Pictures work={work} />
      <div className="grid gap-1.5 p-4">
        <p className="font-label wrap-anywhere">{work.title}</p>
        <p className="text-sm text-quiet">
          {word(`category.${work.category}`)} · <Month of={work.month} />
        </p>
        {work.score !== null && <StarRow score={work.score} />}
      </div>
    </Element>
  )
}

function Pictures({ work: { title, category, pictures } }: { readonly work: Work }): ReactNode {
  const say = useMessages(portfolioMessages)
  const [first, ...others] = pictures
  if (first === undefined) return <SceneBanner name={sceneOf[category]} className="aspect-[2/1] w-full" />
  const picture = (url: string, at: number, shape: string) => (
    <img
      key={url}
      src={url}
      alt={say('picture', { n: at + 1, title })}
      loading="lazy"
      decoding="async"
      className={`${shape} w-full bg-sunken object-cover`}
    />
  )
  return (
    <div className="grid gap-0.5">
      {picture(first, 0, 'aspect-[4/3]')}
      {others.length > 0 && (
        <div className="grid grid-cols-3 gap-0.5">{others.map((url, at) => picture(url, at + 1, 'aspect-square'))}</div>
      )}
    </div>
  )
}

function Month({ of: month }: { readonly of: string }): ReactNode {
  const { locale } = useSpeech()
  const words = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return <time dateTime={month}>{words.format(new Date(`${month}-01T00:00:00Z`))}</time>
}
