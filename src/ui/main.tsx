import { render } from 'preact'
import { App } from './app.tsx'
import { SkipLink } from './navigation.tsx'
import { dropOutdated } from './server/storage.ts'
import { beginTheme } from './settings/theme.ts'
import './style/base.css'
import './style/header.css'
import './style/form.css'
import './style/result.css'
import './style/plot.css'
import './style/receipt.css'
import './style/machine.css'
import './style/reactor.css'
import './style/operators.css'
import './style/settings.css'
import './style/network.css'
import './style/registers.css'
import './style/front.css'
import './style/log.css'
import './style/narrow.css'

beginTheme()
dropOutdated()
const root = document.getElementById('page')
if (root !== null) {
  render(
    <>
      <SkipLink />
      <App />
    </>,
    root,
  )
}
