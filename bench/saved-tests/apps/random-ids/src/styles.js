import styled from 'styled-components'

export const Page = styled.div`
  font-family: system-ui, sans-serif;
  max-width: 56rem;
  margin: 1rem auto;
`

export const Bar = styled.div`
  display: flex;
  gap: 0.5rem;
  align-items: center;
  margin: 1rem 0;
`

export const Row = styled.div`
  display: grid;
  grid-template-columns: 2rem 12rem 12rem 10rem auto;
  gap: 0.5rem;
  align-items: center;
  padding: 0.4rem;
  border-bottom: 1px solid #ddd;
`

export const IconButton = styled.button`
  border: none;
  background: none;
  cursor: pointer;
  font-size: 1rem;
`

export const Panel = styled.aside`
  position: fixed;
  top: 0;
  right: 0;
  width: 22rem;
  height: 100%;
  padding: 1rem;
  background: white;
  box-shadow: 0 0 12px #8888;
`

export const Clickable = styled.div`
  display: inline-block;
  padding: 0.3rem 0.8rem;
  border-radius: 4px;
  background: #246;
  color: white;
  cursor: pointer;
`
