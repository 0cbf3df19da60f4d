"""The page for custodians: everything from a file to a release in a browser on their own machine."""
