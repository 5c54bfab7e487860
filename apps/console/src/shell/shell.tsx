import { visibleText } from '@surehand/core/host'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { signOut } from '../api/client.ts'
import { sessionQuery } from '../api/queries.ts'
import type { Session } from '../api/types.ts'
import { QueryState } from '../ui/query-state.tsx'
import { UntrustedText } from '../ui/untrusted-text.tsx'
import { SignIn } from './sign-in.tsx'

/** What surrounds every page: who is signed in, where to go, and the form to sign in. */
export function Shell(): ReactNode {
  const session = useQuery(sessionQuery)
  return (
    <QueryState query={session} loading="Opening the console">
      {(person) => (person === null ? <SignIn /> : <Frame session={person} />)}
    </QueryState>
  )
}

// The pages in their order; `admin`: its data is refused to others, so it is not offered to them.
const PAGES = [
  { to: '/', name: 'Inbox', for: 'all' },
  { to: '/decisions', name: 'Decisions', for: 'all' },
  { to: '/calls', name: 'Calls', for: 'admin' },
  { to: '/tools', name: 'Tools', for: 'all' },
  { to: '/views', name: 'Views', for: 'all' },
  { to: '/programs', name: 'Programs', for: 'admin' },
  { to: '/policy', name: 'Policy', for: 'admin' },
  { to: '/imports', name: 'Imports', for: 'admin' },
  { to: '/people', name: 'People', for: 'admin' },
  { to: '/audit', name: 'Audit', for: 'admin' },
  { to: '/health', name: 'Health', for: 'admin' },
] as const

function Frame({ session }: { readonly session: Session }): ReactNode {
  const pages = PAGES.filter((page) => page.for === 'all' || session.is_administrator)
  return (
    <>
      <a className="skip" href="#page">
        Go to the page
      </a>
      <header className="top">
        <strong>Surehand</strong>
        <nav aria-label="Pages">
          {pages.map(({ to, name }) => (
            <Link key={to} to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
              {name}
            </Link>
          ))}
        </nav>
        <span className="who">
          <Link to="/account" aria-label={`Your account: ${visibleText(session.principal)}`}>
            <UntrustedText>{session.principal}</UntrustedText>
          </Link>
          <span className="quiet"> in </span>
          <UntrustedText>{session.tenant}</UntrustedText>
        </span>
        <ThemeButton />
        <SignOutButton />
      </header>
      <main id="page" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  )
}

const THEMES = ['auto', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

function applyTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

function storedTheme(): Theme {
  const stored = localStorage.getItem('surehand.theme')
  return THEMES.find((theme) => theme === stored) ?? 'auto'
}

applyTheme(storedTheme())

function ThemeButton(): ReactNode {
  const [theme, setTheme] = useState(storedTheme)
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto'
  const change = (): void => {
    localStorage.setItem('surehand.theme', next)
    applyTheme(next)
    setTheme(next)
  }
  return (
    <button type="button" className="plain" onClick={change} aria-label={`Colours: ${theme}`}>
      {{ auto: '◐', light: '☀', dark: '☾' }[theme]}
    </button>
  )
}

function SignOutButton(): ReactNode {
  const client = useQueryClient()
  const leave = async (): Promise<void> => {
    await signOut()
    // Nothing that this person saw stays in memory for the next one.
    client.clear()
    location.reload()
  }
  return (
    <button type="button" className="plain" onClick={() => void leave()}>
      Sign out
    </button>
  )
}
