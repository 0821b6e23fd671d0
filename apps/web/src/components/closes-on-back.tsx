import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useBlocker, useRouter } from '@tanstack/react-router'
import { stepBack, wayUnderWay } from '../lib/way-back.ts'

type ClosesProps = { readonly onClose: () => void }

/** Inside a dialog that no address says: going back closes it, and the page stays. */
export function ClosesOnBack(props: ClosesProps): ReactNode {
  const { history } = useRouter()
  // Before the first entry of the app is another page, and from there nobody can be held.
  const [isFirst, setFirst] = useState(() => (wayUnderWay() === undefined ? !history.canGoBack() : undefined))
  // The dialog before this one takes its entry back: that is no person who goes back, and closes nothing.
  useEffect(() => {
    let isOver = false
    void wayUnderWay()?.then(() => {
      if (!isOver) setFirst((known) => known ?? !history.canGoBack())
    })
    return () => {
      isOver = true
    }
  }, [history])
  if (isFirst === undefined) return null
  return isFirst ? <WithEntry {...props} /> : <Holding {...props} />
}

function Holding({ onClose }: ClosesProps): ReactNode {
  useBlocker({
    enableBeforeUnload: false,
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK') return false
      onClose()
      return true
    },
  })
  return null
}

/** Gives the dialog an entry of the history, and takes it back with the dialog. */
function WithEntry({ onClose }: ClosesProps): ReactNode {
  const router = useRouter()
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  }, [onClose])
  useEffect(() => {
    const { history } = router
    const isThere = (): boolean => history.location.state.isDialog === true
    void router.navigate({ href: router.latestLocation.href, state: { isDialog: true }, resetScroll: false })
    const end = history.subscribe(() => {
      if (!isThere()) close.current()
    })
    return () => {
      end()
      if (isThere()) void stepBack(history)
    }
  }, [router])
  return null
}
