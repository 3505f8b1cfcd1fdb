"""Makes tests/simulator.py importable from every folder of tests."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.dont_write_bytecode = True
