import { useEffect, type ReactNode } from 'react'

type PageProps = {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children?: ReactNode
  readonly wide?: boolean
}

/** A screen: its title in the tab and as the first heading, which takes the focus when the screen is come to. */
export function Page({ title, lead, actions, children, wide = false }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · Ergon`
  }, [title])
  return (
    <div className={`mx-auto grid w-full gap-6 px-4 py-6 sm:px-6 sm:py-8 ${wide ? 'max-w-7xl' : 'max-w-3xl'}`}>
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div className="grid gap-2">
          <h1 tabIndex={-1} className="outline-none">
            {title}
          </h1>
          {lead !== undefined && <p className="max-w-prose text-quiet">{lead}</p>}
        </div>
        {actions}
      </header>
      {children}
    </div>
  )
}
