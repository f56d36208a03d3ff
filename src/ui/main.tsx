import { render } from 'preact'
import { App } from './app.tsx'
import { SkipLink } from './navigation.tsx'
import './style/base.css'
import './style/header.css'
import './style/form.css'
import './style/result.css'
import './style/receipt.css'
import './style/narrow.css'

const place = document.getElementById('page')
if (place !== null) {
  render(
    <>
      <SkipLink />
      <App />
    </>,
    place,
  )
}
